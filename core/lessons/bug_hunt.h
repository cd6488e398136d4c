// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"
#include "lessons/step_expressions.h"

#include <cstddef>
#include <vector>

namespace meshwright {

/// The program with one of the step's corrections applied. @param fix  index of the correction; if it is out of range,
/// the program is unchanged
std::vector<std::string> program_with(const LessonStep &step, std::size_t fix);

/// Values of the variables that the program calculates, by name. @param numbers  drawn numbers
NamedNumbers run_program(const std::vector<std::string> &program, const NamedNumbers &numbers);

bool agrees_with_engine(const LessonStep &step, const std::vector<std::string> &program, const NamedNumbers &numbers);

/// Index of the only correction that makes the program agree with the engine. Returns the number of corrections if
/// there is not exactly one such correction, or if the program agrees with the engine without any.
std::size_t right_fix(const LessonStep &step, const NamedNumbers &numbers);

} // namespace meshwright
