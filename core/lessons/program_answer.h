// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/judgement.h"

#include <string>
#include <string_view>

namespace meshwright {

/// Checks a program: runs it on the question's numbers and on random ones, and compares its results with the engine's.
/// The hint shows the first case that fails.
Judgement judge_program(const Question &question, std::string_view program, LessonEngine &engine,
                        const ProgramRunner &run);

/// The engine's formula as a JavaScript function. @throws InputError if it has no formula
std::string reference_program(const Question &question);

} // namespace meshwright
