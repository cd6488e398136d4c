// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/engine_values.h"
#include "lessons/question.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Factor from the question's unit to the engine's unit: 1e9 for GB, and 1 for a plain number or a unit without a
/// prefix.
double factor_of_unit(const Question &question);

/// The number in an answer, in the engine's unit. A number without a unit is read in the question's unit; any other
/// unit of the quantity is accepted. Returns nothing if the text is not such a number.
std::optional<double> number_in(std::string_view answer, const Question &question);

/// Whether a number is the answer within the step's tolerance. Counts must be exact.
bool is_right(double number, const Question &question);

/// A mistake that a learner may make, with the answer that results from it.
struct TriedSlip {
    std::string name; ///< such as "bits for bytes"
    double value = 0; ///< result of the mistake, in the unit of the engine value
    std::string hint;
    bool named = false; ///< true if the lesson step lists the mistake; false for a common mistake
};

/// The step's own mistakes, followed by common ones: a factor of 2, bits for bytes, GiB for GB, p - 1 for p, a wrong
/// prefix, a fraction for a percentage. Mistakes whose result equals the correct answer are omitted.
std::vector<TriedSlip> tried_slips(const Question &question, LessonEngine &engine);

} // namespace meshwright
