// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "quantities/sentence.h"

namespace meshwright {

/// The plan's bottleneck: memory if the plan does not fit, otherwise the largest avoidable term of the step.
Bottleneck bottleneck_of(const Result &result);

/// States whether the plan fits, and by how much. The verdict begins with this text.
Sentence fit_of(const Result &result);

Sentence summary_of(const Result &result);

} // namespace meshwright
