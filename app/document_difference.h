// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshwright {

/// The differences between two documents. Either document can be reconstructed exactly from the other, including the
/// order of keys. Whole documents are not stored, because a plan may have megabytes of notes.
class DocumentDifference {
public:
    DocumentDifference(const nlohmann::ordered_json &before, const nlohmann::ordered_json &after);

    nlohmann::ordered_json before(nlohmann::ordered_json after) const;
    nlohmann::ordered_json after(nlohmann::ordered_json before) const;

private:
    struct Side {
        nlohmann::ordered_json value; ///< the value; for a change of keys, the entries that only this document has
        std::vector<std::string> keys = {}; ///< for a change of keys, all keys of this document in order
    };
    struct Change {
        nlohmann::ordered_json::json_pointer at;
        bool isOfKeys = false;
        Side before;
        Side after;
    };
    void compare(const nlohmann::ordered_json::json_pointer &at, const nlohmann::ordered_json &before,
                 const nlohmann::ordered_json &after);
    void compareKeys(const nlohmann::ordered_json::json_pointer &at, const nlohmann::ordered_json &before,
                     const nlohmann::ordered_json &after);
    nlohmann::ordered_json changed(nlohmann::ordered_json document, Side Change::*side) const;

    std::vector<Change> m_changes;
};

} // namespace meshwright
