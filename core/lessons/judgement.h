// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "lessons/engine_values.h"
#include "lessons/program.h"
#include "lessons/question.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

struct Judgement {
    bool correct = false;
    std::string hint; ///< one or two sentences; empty if the answer is right
    std::string slip; ///< name of the mistake behind a wrong answer; may be empty
};

/// Judges an answer of any form. A malformed answer is wrong, and its hint states the expected form.
/// @param answer  a number with or without a unit; an option's key or text; keys in order; a line and a correction's
/// key; a function in JavaScript; settings such as "parallelism.tensor=8"
/// @param run     runs exercise programs; only used by code questions
Judgement judge(const Question &question, std::string_view answer, LessonEngine &engine, const ProgramRunner &run);

/// The right answer in a form that judge() accepts: a number in the question's unit, or a text.
/// @throws InputError for a design task without a solution
nlohmann::ordered_json expected_answer(const Question &question, LessonEngine &engine);

/// The right answer for display, such as "1.75 GB" or "B: Ring all-reduce".
std::string expected_text(const Question &question, LessonEngine &engine);

/// Derivation of the right answer. @throws InputError as expected_answer()
Derivation derivation_of(const Question &question, LessonEngine &engine);

} // namespace meshwright
