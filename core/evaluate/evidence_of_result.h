// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "evidence/similar_runs.h"

#include <optional>

namespace meshwright {

/// Adds 80% intervals and the nearest measured runs to a result. The built-in runs are predicted under the plan's
/// assumptions. The first call with given assumptions predicts all runs; later calls take about 0.2 ms. A search, which
/// only compares numbers, skips this.
void add_evidence(Result &result);
/// Adds intervals and nearest runs from the given runs.
void add_evidence(Result &result, const KnownRuns &known);

/// Probability that the plan fits, from the interval of its peak memory. Returns nothing before add_evidence().
std::optional<double> fit_probability(const Result &result);

} // namespace meshwright
