// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/engine_values.h"
#include "lessons/question.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Value of one unit of the question in the engine's unit: 1e9 for GB. 1 for a plain number or a unit without prefix.
double factor_of_unit(const Question &question);

/// The number in an answer, in the engine's unit. A number without a unit is read in the question's unit; any other
/// unit of the quantity is accepted. Nothing if the text is no such number.
std::optional<double> number_in(std::string_view answer, const Question &question);

/// Whether a number is the answer within the step's tolerance. Counts must be exact.
bool is_right(double number, const Question &question);

/// A mistake to compare an answer with.
struct TriedSlip {
    std::string name; ///< "bits for bytes"
    double value = 0; ///< result of the mistake, in the unit of the engine value
    std::string hint;
    bool named = false; ///< true: the step lists it; false: one of the usual mistakes
};

/// The step's own slips first, then the usual ones: a factor of 2, bits for bytes, GiB for GB, p - 1 for p, a wrong
/// prefix, a fraction for percent. Those that cannot be told from the right answer are left out.
std::vector<TriedSlip> tried_slips(const Question &question, LessonEngine &engine);

} // namespace meshwright
