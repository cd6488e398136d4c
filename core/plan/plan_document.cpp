// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "input/field_reader.h"
#include "input/json_document.h"
#include "plan/plan_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <map>

namespace meshwright {

using Json = nlohmann::ordered_json;

Json load_plan_document(const std::string &name, const Library &library) {
    if (name == "-")
        return read_json_stream(std::cin);
    constexpr std::string_view prefix = "preset:";
    if (!name.starts_with(prefix)) {
        std::error_code ignored;
        if (!std::filesystem::exists(name, ignored) && library.find(PresetKind::plan, name))
            throw FileError(fmt::format("{0}: cannot be read; expected a file, or {1}{0}", name, prefix));
        return read_json_file(name);
    }
    std::string id = name.substr(prefix.size());
    if (id.starts_with("plan/"))
        id = id.substr(5);
    return library.json(PresetKind::plan, id);
}

namespace {

constexpr std::ptrdiff_t max_names = deepest_input_nesting; ///< maximum number of levels in an assignment

bool is_utf8(std::string_view text) {
    try {
        return !Json(std::string(text)).dump().empty();
    } catch (const Json::type_error &) {
        return false;
    }
}

/// Command line arguments may contain any bytes and any number of dots, but a document is UTF-8 with limited nesting.
void check_assignment(std::string_view assignment, std::size_t equals) {
    if (!is_utf8(assignment))
        throw InputError("", "--set is not valid UTF-8", "expected field.name=value in UTF-8");
    if (equals == std::string_view::npos || equals == 0)
        throw InputError("", fmt::format("--set {} has no value", assignment), "expected field.name=value");
    const std::string_view path = assignment.substr(0, equals);
    if (std::count(path.begin(), path.end(), '.') >= max_names)
        throw InputError("", fmt::format("the field name of --set has more than {} levels", max_names),
                         "expected the dotted name of a field");
}

Json assigned_value(std::string_view text) {
    try {
        return parse_json(text);
    } catch (const InputError &) {
        return std::string(text); // an unquoted string
    }
}

/// Replaces a preset's id, set or by default, with the preset's object, so that one of its fields can be set.
/// @param place  the value in the document at `pointer`
void spell_out(const Json &document, Json &place, std::string_view pointer, const Library &library) {
    static const std::map<std::string_view, PresetKind> presets{{"/cluster", PresetKind::cluster},
                                                                {"/cluster/accelerator", PresetKind::accelerator},
                                                                {"/model", PresetKind::model},
                                                                {"/stack", PresetKind::stack}};
    const auto kind = presets.find(pointer);
    if (kind == presets.end())
        return;
    if (place.is_string())
        place = library.json(kind->second, place.get<std::string>());
    else if (place.is_null() && kind->second == PresetKind::stack)
        place = to_json(read_plan(document, library).plan.stack);
}

} // namespace

void set_field(Json &document, std::string_view assignment, const Library &library) {
    const std::size_t equals = assignment.find('=');
    check_assignment(assignment, equals);
    Json value = assigned_value(assignment.substr(equals + 1));
    Json *place = &document;
    std::string pointer;
    for (std::string_view path = assignment.substr(0, equals);;) {
        const std::size_t dot = path.find('.');
        const std::string key(path.substr(0, dot));
        spell_out(document, *place, pointer, library);
        pointer += "/" + pointer_token(key);
        const bool index = place->is_array() && !key.empty() && key.size() < 6
            && key.find_first_not_of("0123456789") == std::string::npos && std::stoul(key) < place->size();
        if (!index && !place->is_object() && !place->is_null())
            throw InputError(pointer,
                             fmt::format("--set {} names a field of a value that is not an object", assignment),
                             "expected the dotted name of a field");
        place = index ? &(*place)[std::stoul(key)] : &(*place)[key];
        if (dot == std::string_view::npos)
            break;
        path.remove_prefix(dot + 1);
    }
    *place = std::move(value);
}

void merge_patch(Json &document, const Json &patch) {
    if (!patch.is_object()) {
        document = patch;
        return;
    }
    if (!document.is_object())
        document = Json::object();
    for (const auto &item : patch.items()) {
        if (item.value().is_null())
            document.erase(item.key());
        else
            merge_patch(document[item.key()], item.value());
    }
}

} // namespace meshwright
