// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "quantities/sentence.h"

namespace meshwright {

/// The plan's bottleneck: memory if the plan does not fit, otherwise the largest avoidable term of the step.
Bottleneck bottleneck_of(const Result &result);

/// Whether the plan fits, and by how much: the beginning of the verdict.
Sentence fit_of(const Result &result);

/// The verdict in one sentence.
Sentence summary_of(const Result &result);

} // namespace meshwright
