// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/preset_file.h"

#include "input/diagnostic.h"
#include "input/json_document.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

/// Reads only members of the outermost object and stops the parser as soon as it has all it needs.
class HeadReader : public nlohmann::json_sax<Json> {
public:
    explicit HeadReader(PresetKind kind)
        : m_kind(kind) { }

    std::string id;
    std::string name;
    std::string schema;
    bool has_cluster = false;
    bool has_model = false;
    bool is_evaluable = true;
    bool is_complete = false;

    bool null() override { return true; }
    bool boolean(bool value) override {
        if (m_depth == 1 && m_key == "evaluable")
            is_evaluable = value;
        return true;
    }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t &) override { return true; }
    bool string(string_t &value) override {
        if (m_depth != 1)
            return true;
        if (m_key == "id")
            id = std::move(value);
        else if (m_key == "name")
            name = std::move(value);
        else if (m_key == "schema")
            schema = std::move(value);
        // For a plan, read on: later members may determine whether it can be evaluated.
        is_complete = m_kind != PresetKind::plan && !id.empty() && !name.empty();
        return !is_complete;
    }
    bool binary(binary_t &) override { return false; }
    bool start_object(std::size_t) override { return ++m_depth <= deepest_input_nesting; }
    bool start_array(std::size_t) override { return m_depth++ > 0 && m_depth <= deepest_input_nesting; }
    bool end_object() override {
        --m_depth;
        return true;
    }
    bool end_array() override {
        --m_depth;
        return true;
    }
    bool key(string_t &key) override {
        if (m_depth != 1)
            return true;
        m_key = std::move(key);
        has_cluster = has_cluster || m_key == "cluster";
        has_model = has_model || m_key == "model";
        return true;
    }
    bool parse_error(std::size_t, const std::string &, const nlohmann::detail::exception &) override { return false; }

private:
    PresetKind m_kind;
    int m_depth = 0;
    std::string m_key;
};

} // namespace

std::string folder_of(PresetKind kind) {
    return preset_kind_names()[static_cast<std::size_t>(kind)] + "s";
}

bool is_preset_id(std::string_view id) {
    constexpr std::size_t longest = 64;
    const auto plain = [](unsigned char c) { return c < 0x80 && std::isalnum(c) != 0; };
    return !id.empty() && id.size() <= longest && plain(static_cast<unsigned char>(id.front()))
        && std::all_of(id.begin(), id.end(), [&](char c) {
               return plain(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
           });
}

PresetEntry read_preset_head(PresetKind kind, const std::filesystem::path &file, std::string_view text) {
    HeadReader head(kind);
    if (!Json::sax_parse(text.begin(), text.end(), &head) && !head.is_complete)
        throw InputError("", "invalid JSON", "expected one JSON object in UTF-8");
    const std::string stem = file.stem().string();
    if (!is_preset_id(stem))
        throw InputError("/id", "the file name is not a valid id",
                         "expected at most 64 letters, digits, dots, dashes and underscores");
    // A plan's id may come from the file name alone.
    if (head.id != stem && !(kind == PresetKind::plan && head.id.empty()))
        throw InputError("/id", "\"" + head.id + "\" differs from the file name", "expected \"" + stem + "\"");
    if (head.name.empty())
        throw InputError("/name", "missing", "expected a display name");
    const bool card = head.schema == "meshwright.card/1" || !head.is_evaluable || !head.has_cluster || !head.has_model;
    return {.id = stem, .kind = kind, .name = head.name, .file = file, .evaluable = kind != PresetKind::plan || !card};
}

} // namespace meshwright
