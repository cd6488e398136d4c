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

/// What the engine says of an answer.
struct Judgement {
    bool correct = false;
    std::string hint; ///< one or two sentences; empty where the answer is right
    std::string slip; ///< the mistake that gives this answer; may be empty
};

/// Judges an answer of any form. An answer that makes no sense is wrong, and the hint says what is expected.
/// @param answer  a number with or without a unit; an option's key or text; keys in order; a line and a correction's
/// key;
///                a function in JavaScript; settings such as "parallelism.tensor=8"
/// @param run     runs exercise programs; needed for code alone
Judgement judge(const Question &question, std::string_view answer, LessonEngine &engine, const ProgramRunner &run);

/// The right answer in the form in which judge() takes it: a number in the question's unit, or a text.
/// @throws InputError for a design that no combination of its fields solves
nlohmann::ordered_json expected_answer(const Question &question, LessonEngine &engine);

/// The right answer as a person reads it: "1.75 GB", "B: Ring all-reduce".
std::string expected_text(const Question &question, LessonEngine &engine);

/// How the right answer is calculated. @throws InputError as expected_answer()
Derivation derivation_of(const Question &question, LessonEngine &engine);

} // namespace meshwright
