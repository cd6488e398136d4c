// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"
#include "lessons/step_expressions.h"

#include <cstddef>
#include <vector>

namespace meshwright {

/// The lines of a program with one of the step's corrections made. @param fix  index; none where it is out of range
std::vector<std::string> program_with(const LessonStep &step, std::size_t fix);

/// What the program calculates, by name. @param numbers  drawn numbers
NamedNumbers run_program(const std::vector<std::string> &program, const NamedNumbers &numbers);

/// Whether the program's checked names have the engine's values.
bool agrees_with_engine(const LessonStep &step, const std::vector<std::string> &program, const NamedNumbers &numbers);

/// Index of the one correction with which the program agrees with the engine; the number of corrections where none or
/// several do, or where the program agrees without one.
std::size_t right_fix(const LessonStep &step, const NamedNumbers &numbers);

} // namespace meshwright
