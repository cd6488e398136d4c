// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshwright {

/// Where two documents differ, and what each of them holds there. Either is made again from the other to the letter,
/// the order of its keys included, without either being kept: a plan may carry megabytes of notes.
class DocumentDifference {
public:
    DocumentDifference(const nlohmann::ordered_json &before, const nlohmann::ordered_json &after);

    nlohmann::ordered_json before(nlohmann::ordered_json after) const;
    nlohmann::ordered_json after(nlohmann::ordered_json before) const;

private:
    struct Side {
        nlohmann::ordered_json value; ///< of an object with other keys: those that only this side has
        std::vector<std::string> keys = {}; ///< of such an object: all of this side, in order
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
