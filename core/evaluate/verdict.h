// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <string>

namespace meshwright {

/// What holds the plan back: what overflows first, else the largest of the step's avoidable terms.
Bottleneck bottleneck_of(const Result &result);

/// The verdict in one sentence.
std::string summary_of(const Result &result);

} // namespace meshwright
