// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "evidence/similar_runs.h"

#include <optional>

namespace meshwright {

/// Gives a result its 80 % intervals and the nearest measured runs, from the program's own runs as the model sees them
/// under the plan's assumptions. About 0.2 ms; the first time for a set of assumptions predicts all runs. What only
/// compares numbers, a search above all, does without.
void add_evidence(Result &result);
/// The same from runs that are at hand.
void add_evidence(Result &result, const KnownRuns &known);

/// How sure it is that the plan fits, by the interval of its peak; nothing before add_evidence.
std::optional<double> fit_probability(const Result &result);

} // namespace meshwright
