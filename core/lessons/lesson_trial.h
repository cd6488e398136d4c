// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"
#include "lessons/lesson.h"
#include "lessons/program.h"

#include <cstdint>
#include <vector>

namespace meshwright {

class Library;

/// Asks every question of a lesson with `draws` seeds and answers it: the expected answer must be right, in the
/// question's unit and in every other unit of its quantity; the value of each slip that the step names must be wrong
/// and get the hint of a named slip; a program must pass with the engine's own formula.
/// @param run  for exercise programs, which are skipped without one
/// Engine values of a step without a question must be calculable too.
/// @returns what failed, with the steps' JSON pointers
std::vector<Diagnostic> try_questions(const Lesson &lesson, const Library &library, std::uint64_t draws,
                                      const ProgramRunner &run = {});

} // namespace meshwright
