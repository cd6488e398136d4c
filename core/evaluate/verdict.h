// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "quantities/sentence.h"

namespace meshwright {

/// What holds the plan back: what overflows first, else the largest of the step's avoidable terms.
Bottleneck bottleneck_of(const Result &result);

/// The verdict in one sentence.
Sentence summary_of(const Result &result);

} // namespace meshwright
