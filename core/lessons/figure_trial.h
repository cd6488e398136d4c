// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"
#include "lessons/lesson.h"

#include <cstddef>
#include <vector>

namespace meshwright {

class Library;

/// For each field that a reader may change, the index of its initial value: the value that the figure sets or the
/// lesson's plan has, or the first if that value is not listed.
std::vector<std::size_t> begin_of_figure(const LessonFigure &figure, const Lesson &lesson, const Library &library);

/// Evaluates what the figures of a lesson show: a plan, for all combinations of the values that a reader can choose (if
/// there are too many, one field is varied at a time), and the formula of a curve.
/// @returns the first fault of each figure, with the JSON pointer of the value that causes it
std::vector<Diagnostic> try_figures(const Lesson &lesson, const Library &library);

} // namespace meshwright
