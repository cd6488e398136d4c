// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "formulas/derivation.h"
#include "outer/monte_carlo.h"
#include "step/plan_pipeline.h"

#include <string>
#include <string_view>

namespace meshwright {

/// The making of a result's figures: a tree whose root stands for the run and whose inputs are the figures, each named
/// as in the result's JSON with underscores ("step_seconds", "memory_stages_0_weights_bytes"). Values are those of the
/// result to rounding; every node with a formula is what the formula gives over its inputs.
Derivation explain(const Result &result);

/// The tree of explain(), with what executing the result's pipeline gives as further figures:
/// "schedule_makespan_seconds", "schedule_bubble_of_ideal", "schedule_ranks_0_peak_bytes" and so on.
/// @param pipeline  simulate_pipeline() of the result's plan
Derivation explain(const Result &result, const PlanPipeline &pipeline);

/// The tree of explain(), with what the runs of the outer loop differ by: "outer_utilisation_p10" and "_p90".
/// @pre the result has an outer loop
Derivation explain(const Result &result, const OuterRuns &runs);

/// How much a figure differs between two plans, as the figure "gain_" with the figure's name, and "gain_share_" as a
/// share of the first's size: the tree of explain() of the first, beside it that of the second with "changed_" before
/// its figures' names.
/// @param figure  path that both results have; without it the gain is left out
Derivation explain_change(const Result &before, const Result &after, std::string_view figure);
/// The same of two trees. @param with  said behind the change's title: "with tensor-parallel ranks at 8"; may be empty
Derivation explain_difference(Derivation before, Derivation after, const std::string &figure, const std::string &with);

/// The node of one figure, by the path of its JSON key ("step.seconds", "memory.stages.0.weights_bytes"); null where
/// the tree has none.
const Derivation *find_figure(const Derivation &tree, std::string_view path);

} // namespace meshwright
