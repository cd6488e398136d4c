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

struct AskedSymbol {
    std::string name;
    double value = 0; ///< value in the SI unit, or in `unit` if that differs
    std::string text; ///< value with its unit, such as "2 GB", or a word
    std::string unit; ///< unit such as "B" or "days"; "1" for a plain number
    bool is_word = false;
};

struct AskedOption {
    std::string key; ///< "A", "B", ...
    std::string text;
    std::size_t index = 0;
};

/// A question with drawn numbers. The same seed gives the same numbers.
struct Question {
    const LessonStep *step = nullptr;
    std::uint64_t seed = 0;
    std::string text; ///< text of the question in Markdown, with the numbers filled in
    std::vector<AskedSymbol> symbols;
    std::string unit; ///< unit of answers that state none; empty for a plain number
    Quantity quantity = Quantity::number;
    std::vector<AskedOption> options;
    NamedNumbers numbers; ///< drawn numbers, engine values, and "answer" for number questions
    std::map<std::string, FigureKind, std::less<>> figures; ///< kind of each engine value that is a plan figure
};

/// Draws a question's numbers until its conditions hold. For a step without a question, only calculates the engine
/// values.
/// @throws InputError if no draw gives a question with exactly one answer
Question ask(const LessonStep &step, std::uint64_t seed, LessonEngine &engine);

/// Replaces {name} by the number with its unit. Unknown names are left as they are.
std::string filled_in(std::string_view text, const Question &question);

/// Engine values for drawn numbers, and "answer" if the step has one. @throws InputError
NamedNumbers with_engine_values(const LessonStep &step, NamedNumbers drawn, LessonEngine &engine);

/// Index of the only right option; the number of options if none or several are right.
std::size_t right_option(const LessonStep &step, const NamedNumbers &numbers);

} // namespace meshwright
