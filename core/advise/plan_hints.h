// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"
#include "plan/plan.h"

#include <vector>

namespace meshwright {

/// Hints for a valid plan that need no result: settings without effect, and limits of the cost model.
std::vector<Diagnostic> plan_hints(const Plan &plan);

/// The text of a value, which links to its plan field.
inline Sentence field(std::int64_t value, const char *pointer) {
    return {std::to_string(value), FieldPointer(pointer)};
}

} // namespace meshwright
