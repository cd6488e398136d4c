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

/// A lesson's file as JSON, with the lines of its values.
struct LessonDocument {
    nlohmann::ordered_json json;
    std::map<std::string, int> lines; ///< JSON pointer to line, from 1; empty for a file in JSON

    /// Line of a value, or of the value that contains it; 0 if there is none.
    int line_of(std::string pointer) const;
    /// The problems by line, with the line in front of each message.
    std::vector<Diagnostic> with_lines(std::vector<Diagnostic> problems) const;
};

/// Whether a text is a lesson in Markdown: its first line is "---".
bool is_lesson_markdown(std::string_view text);

/// A lesson in Markdown: front matter in YAML between two lines "---", then a heading "## Title {#id}" for each step,
/// its text, and fenced blocks. A block named after a kind of step ("```number") has the question's fields in YAML,
/// "```figure" those of the figure, "```notes" the speaker's notes as Markdown; blocks with other names belong to the
/// text.
/// @throws InputError with the line
LessonDocument lesson_document(std::string_view text);

} // namespace meshwright
