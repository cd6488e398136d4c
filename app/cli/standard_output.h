// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace meshwright {

/// Writes all of `text` to standard output. @throws Failure if a closed pipe or a full disk takes less
void writeText(std::string_view text);

enum class JsonLines {
    indented,
    one ///< for trees that are deep, where indentation would take as much as what it indents
};

/// Writes a document with a line break at its end. Text that is not UTF-8 (a file's name) is replaced.
void writeJson(const nlohmann::ordered_json &document, JsonLines lines = JsonLines::indented);

} // namespace meshwright
