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

/// The measured runs that determine an interval, if the figure (given by path or name) is one end of an interval;
/// otherwise null. Changing an input changes the estimate, but not the model's errors on these runs.
std::shared_ptr<const KnownRuns> known_runs_for(const Result &result, std::string_view figure);

/// The result at Depth::comparison, with intervals if `known` is not null. Accepts the plan of a measured run even if
/// it breaks a rule.
Result compared_result(const Plan &plan, const KnownRuns *known);

/// A few short simulations of the sites with the same random numbers, for comparing "outer_utilisation_p10" and "_p90".
/// Empty without an outer loop, or if even these simulations would take too long.
std::optional<OuterRuns> brief_runs(const Result &result);

/// The tree of explain(), with the additions that the figure needs: the simulated pipeline for "schedule_…", and
/// brief_runs() for percentiles. Empty if the pipeline has too many operations to simulate.
std::optional<Derivation> explained_with(const Result &result, std::string_view figure);

} // namespace meshwright
