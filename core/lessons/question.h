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

/// A number drawn for a question.
struct AskedSymbol {
    std::string name;
    double value = 0; ///< in SI units, or in `unit` if that is not an SI unit
    std::string text; ///< "2 GB", or the word for an argument that takes words
    std::string unit; ///< "B", "days"; "1" for a plain number
    bool is_word = false; ///< whether its value is a word
};

/// An option, item or correction as shown to the reader.
struct AskedOption {
    std::string key; ///< "A", "B", ...
    std::string text; ///< text with the numbers filled in
    std::size_t index = 0; ///< index in the step's options
};

/// A question with drawn numbers. The same seed gives the same numbers.
struct Question {
    const LessonStep *step = nullptr;
    std::uint64_t seed = 0;
    std::string text; ///< Markdown with the numbers filled in
    std::vector<AskedSymbol> symbols;
    std::string unit; ///< default unit for answers without one; empty for a plain number
    Quantity quantity = Quantity::number; ///< quantity of the answer to a number question
    std::vector<AskedOption> options;
    NamedNumbers numbers; ///< drawn numbers, engine values, and "answer" for number questions
    std::map<std::string, FigureKind, std::less<>> figures; ///< kind of each engine value that is a figure of the plan
};

/// Draws a question's numbers until its conditions hold. For a step without a question, calculates only its engine
/// values.
/// @throws InputError if no draw leads to a question with exactly one answer
Question ask(const LessonStep &step, std::uint64_t seed, LessonEngine &engine);

/// Replaces {name} by the number with its unit. Unknown names are not replaced.
std::string filled_in(std::string_view text, const Question &question);

/// Engine values for drawn numbers, and "answer" if the step has one. @throws InputError
NamedNumbers with_engine_values(const LessonStep &step, NamedNumbers drawn, LessonEngine &engine);

/// Index of the only correct option; the number of options if none or several are correct.
std::size_t right_option(const LessonStep &step, const NamedNumbers &numbers);

} // namespace meshwright
