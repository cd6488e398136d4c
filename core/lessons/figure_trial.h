// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"
#include "lessons/lesson.h"

#include <vector>

namespace meshwright {

class Library;

/// Evaluates what the figures of a lesson show: a plan for all combinations of the fields that a reader may turn (for
/// very many, each value next to the others' first), and the formula of a curve.
/// @returns the first fault of each figure, with the JSON pointer of the value that causes it
std::vector<Diagnostic> try_figures(const Lesson &lesson, const Library &library);

} // namespace meshwright
