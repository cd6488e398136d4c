// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"
#include "lessons/lesson.h"

#include <cstddef>
#include <vector>

namespace meshwright {

class Library;

/// For each field that a reader may change, the index of its initial value in the list of values to choose from. The
/// figure sets the initial value, or else the lesson's plan. The index is 0 if the list lacks that value.
std::vector<std::size_t> begin_of_figure(const LessonFigure &figure, const Lesson &lesson, const Library &library);

/// Tries the figures of a lesson: evaluates plans for all combinations of the values that a reader can choose (if there
/// are too many, varying one field at a time), and the formulas of curves.
/// @returns the first fault of each figure, with the JSON pointer of the value that causes it
std::vector<Diagnostic> try_figures(const Lesson &lesson, const Library &library);

} // namespace meshwright
