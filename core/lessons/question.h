// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/engine_values.h"
#include "lessons/lesson.h"
#include "lessons/step_expressions.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// A drawn number of a question.
struct AskedSymbol {
    std::string name;
    double value = 0; ///< in SI units, or in `unit` where that is not one
    std::string text; ///< "2 GB"; for a formula's choice its word
    std::string unit; ///< "B", "days"; "1" for a plain number
    bool is_word = false; ///< whether it is a choice, whose word is the value
};

/// An option, item or correction as the reader sees it.
struct AskedOption {
    std::string key; ///< "A", "B", ...
    std::string text; ///< with the numbers filled in
    std::size_t index = 0; ///< in the step's options
};

/// A question with its numbers. The same seed gives the same question.
struct Question {
    const LessonStep *step = nullptr;
    std::uint64_t seed = 0;
    std::string text; ///< Markdown with the numbers filled in
    std::vector<AskedSymbol> symbols;
    std::string unit; ///< in which a number without a unit is read; empty for a plain number
    Quantity quantity = Quantity::number; ///< quantity of the answer to a number question
    std::vector<AskedOption> options;
    NamedNumbers numbers; ///< drawn numbers, engine values, and "answer" for number steps
    std::map<std::string, FigureKind, std::less<>> figures; ///< of the engine values that are figures of a plan
};

/// Draws a question's numbers until its conditions hold. A step that asks nothing has its engine values alone.
/// @throws InputError where no draw gives a question that can be answered
Question ask(const LessonStep &step, std::uint64_t seed, LessonEngine &engine);

/// Replaces {name} by the number's text with its unit. Names that are unknown stay as they are.
std::string filled_in(std::string_view text, const Question &question);

/// Engine values for drawn numbers, and "answer" for a step with one. @throws InputError
NamedNumbers with_engine_values(const LessonStep &step, NamedNumbers drawn, LessonEngine &engine);

/// Index of the one option that is right; the number of options where none or several are.
std::size_t right_option(const LessonStep &step, const NamedNumbers &numbers);

} // namespace meshwright
