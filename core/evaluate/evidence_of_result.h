// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "evidence/similar_runs.h"

#include <optional>

namespace meshwright {

/// Adds 80% intervals and the nearest measured runs to a result, by predicting the built-in runs under the plan's
/// assumptions. The first call with given assumptions predicts all runs; later calls take about 0.2 ms. Searches skip
/// this, because they compare only point estimates.
void add_evidence(Result &result);
void add_evidence(Result &result, const KnownRuns &known);

/// Probability that the plan fits, from the interval of its peak memory. Returns nothing before add_evidence().
std::optional<double> fit_probability(const Result &result);

} // namespace meshwright
