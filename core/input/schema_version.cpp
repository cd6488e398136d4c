// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/schema_version.h"

#include "input/printable.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace meshwright {

namespace {

struct Schema {
    std::string_view kind; ///< such as "meshwright.plan"
    int version = 0;
};

std::optional<Schema> parsed(std::string_view schema) {
    const std::size_t slash = schema.rfind('/');
    if (slash == std::string_view::npos)
        return std::nullopt;
    Schema result{.kind = schema.substr(0, slash)};
    const char *const end = schema.data() + schema.size();
    const auto [stop, error] = std::from_chars(schema.data() + slash + 1, end, result.version);
    return error == std::errc() && stop == end ? std::optional(result) : std::nullopt;
}

} // namespace

bool is_newer_schema(std::string_view schema, std::string_view read) {
    const std::optional<Schema> given = parsed(schema);
    const std::optional<Schema> known = parsed(read);
    return given && known && given->kind == known->kind && given->version > known->version;
}

std::string schema_fault(std::string_view schema, std::string_view read) {
    const std::string name = printable(std::string(schema));
    if (is_newer_schema(schema, read))
        return fmt::format("is \"{}\", from a newer version of Meshwright; this version reads \"{}\"", name, read);
    return fmt::format("is \"{}\", a different kind of file", name);
}

} // namespace meshwright
