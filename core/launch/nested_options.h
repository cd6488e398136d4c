// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/export_text.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshwright {

/// Collects values under dotted names ("parallelism.tp") and writes them as nested mappings, which dotted_options()
/// reads back. Mappings and their keys keep the order in which they first occurred.
class NestedOptions {
public:
    void add(std::string name, nlohmann::ordered_json value, std::string field = {}, std::string why = {});
    /// Writes YAML. Values are in JSON notation, which is valid YAML; reasons follow as comments.
    void write_yaml(ExportText &text) const;
    /// Writes JSON. JSON has no comments, so reasons are only in the `why` of each line.
    void write_json(ExportText &text) const;

private:
    struct Entry {
        std::string name;
        nlohmann::ordered_json value;
        std::string field;
        std::string why;
    };
    enum class Form { yaml, json };
    /// The keys in one mapping: entries with values, and names of nested mappings.
    std::vector<std::string> keys_of(const std::string &prefix) const;
    void write(ExportText &text, const std::string &prefix, std::size_t depth, Form form) const;

    std::vector<Entry> m_entries;
};

} // namespace meshwright
