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

// How a figure of a plan is set against that of one that differs little.

/// What measured runs say where the figure (by path or name) is the end of an interval: those move with the estimate,
/// what the runs say of the model stays as it is. Null for any other figure.
std::shared_ptr<const KnownRuns> known_runs_for(const Result &result, std::string_view figure);

/// At Depth::comparison, also of a plan that somebody has run although it breaks a rule; with intervals where `known`
/// is not null.
Result compared_result(const Plan &plan, const KnownRuns *known);

/// Few short runs of the sites, with the same random numbers, which "outer_utilisation_p10" and "_p90" are compared by.
/// Nothing without an outer loop, and where even they take long.
std::optional<OuterRuns> brief_runs(const Result &result);

/// The tree of explain() with what the figure stands in: the executed pipeline for "schedule_…", brief_runs() for what
/// they differ by. Nothing where the pipeline has more operations than are executed.
std::optional<Derivation> explained_with(const Result &result, std::string_view figure);

} // namespace meshwright
