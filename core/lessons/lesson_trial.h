// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"
#include "lessons/lesson.h"
#include "lessons/program.h"

#include <cstdint>
#include <vector>

namespace meshwright {

class Library;

/// Asks every question of a lesson with `draws` seeds and answers it. The expected answer must be right in the
/// question's unit and in every other unit of its quantity. The value of each slip in the step must be wrong and
/// receive the slip's hint. A code question must accept the engine's own formula as a program. Engine values
/// in steps without a question must be calculable.
/// @param run  runs exercise programs, which are skipped if it is empty
/// @returns the failures, with the steps' JSON pointers
std::vector<Diagnostic> try_questions(const Lesson &lesson, const Library &library, std::uint64_t draws,
                                      const ProgramRunner &run = {});

} // namespace meshwright
