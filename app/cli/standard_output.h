// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace meshwright {

/// Writes all of `text` to standard output. @throws Failure if the pipe is closed or the disk is full
void writeText(std::string_view text);

enum class JsonLines {
    indented,
    one ///< one line, because indentation would double the size of deep trees
};

/// Writes a document followed by a line break. Invalid UTF-8 (as in file names) is replaced.
void writeJson(const nlohmann::ordered_json &document, JsonLines lines = JsonLines::indented);

} // namespace meshwright
