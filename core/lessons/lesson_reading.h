// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"
#include "lessons/lesson.h"
#include "lessons/lesson_document.h"

#include <string>
#include <vector>

namespace meshwright {

class Library;

/// The part of a lesson that could be read, and its problems with their lines.
struct LessonReading {
    Lesson lesson;
    std::vector<Diagnostic> problems;
};

/// Reads and checks a lesson's document: every field, formula, argument, name in an expression and plan field. It does
/// not check whether the questions can be answered; see lesson_trial.h.
/// @param id  id of the lesson if the document has none
LessonReading read_lesson(const LessonDocument &document, const std::string &id, const Library &library);

/// Reads a lesson from a file's text. @throws InputError with every problem found
Lesson lesson_of_text(std::string_view text, const std::string &id, const Library &library);

} // namespace meshwright
