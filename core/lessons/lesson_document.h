// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

inline constexpr std::string_view lesson_schema = "meshwright.lesson/1";

/// A lesson's file as JSON, with the line number of each value.
struct LessonDocument {
    nlohmann::ordered_json json;
    std::map<std::string, int> lines; ///< line of each value, from 1, by JSON pointer; empty for a JSON file

    /// Line of a value, or of the nearest container with a known line. 0 if there is none.
    int line_of(std::string pointer) const;
    /// Sorts problems by line and prefixes each message with its line.
    std::vector<Diagnostic> with_lines(std::vector<Diagnostic> problems) const;
};

/// Whether a text is a Markdown lesson: its first line is "---".
bool is_lesson_markdown(std::string_view text);

/// Reads a lesson in Markdown: YAML front matter between two lines "---", then for each step a heading "## Title
/// {#id}", text, and fenced blocks. A block named after a step kind ("```number") has the question's fields in YAML,
/// "```figure" has those of the figure, and "```notes" has speaker notes in Markdown. Blocks with other names belong to
/// the text.
/// @throws InputError with the line
LessonDocument lesson_document(std::string_view text);

} // namespace meshwright
