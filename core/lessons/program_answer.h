// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/judgement.h"

#include <string>
#include <string_view>

namespace meshwright {

/// Runs a function on the question's numbers and on randomly drawn ones, and compares the results with the engine's.
/// The hint shows the first case that fails.
Judgement judge_program(const Question &question, std::string_view program, LessonEngine &engine,
                        const ProgramRunner &run);

/// The engine's formula as a JavaScript function. @throws InputError if it has no formula
std::string reference_program(const Question &question);

} // namespace meshwright
