// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "evidence/similar_runs.h"
#include "formulas/derivation.h"
#include "outer/monte_carlo.h"

#include <memory>
#include <optional>
#include <string_view>

namespace meshwright {

// Compares a figure between two plans that differ little.

/// Measured runs behind the interval if the figure (by path or name) is one end of an interval; null for any other
/// figure. The end moves with the estimate, while the model's errors on the runs stay the same.
std::shared_ptr<const KnownRuns> known_runs_for(const Result &result, std::string_view figure);

/// The result at Depth::comparison, also for a plan that breaks a rule but has been run; with intervals if `known` is
/// not null.
Result compared_result(const Plan &plan, const KnownRuns *known);

/// A few short simulations of the sites with the same random numbers, for comparing "outer_utilisation_p10" and "_p90".
/// Empty without an outer loop, or if even these simulations take too long.
std::optional<OuterRuns> brief_runs(const Result &result);

/// The tree of explain(), extended by what the figure needs: the simulated pipeline for "schedule_…", brief_runs() for
/// spreads. Nothing if the pipeline has more operations than are simulated.
std::optional<Derivation> explained_with(const Result &result, std::string_view figure);

} // namespace meshwright
