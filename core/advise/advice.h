// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace meshwright {

/// All diagnostics of an evaluated plan, the most severe first. Every fix has been evaluated and states its gain;
/// changes without a gain are not offered.
std::vector<Diagnostic> advise(const Result &result, const std::stop_token &stop);

/// The smallest change that makes a plan fit: fewest fields first, then shortest step time. Returns nothing if none of
/// the changes tried makes it fit.
std::optional<Fix> smallest_fit(const Plan &plan, const std::stop_token &stop = {});

} // namespace meshwright
