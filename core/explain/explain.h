// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "formulas/derivation.h"
#include "outer/monte_carlo.h"
#include "step/plan_pipeline.h"

#include <string>
#include <string_view>

namespace meshwright {

/// The derivation of a result's figures: a tree whose root is the run time and whose inputs are the figures, each named
/// as in the result's JSON with underscores ("step_seconds", "memory_stages_0_weights_bytes"). Values equal the
/// result's up to rounding; the value of every node with a formula is that formula over its inputs.
Derivation explain(const Result &result);

/// The tree of explain() plus the figures of the simulated pipeline: "schedule_makespan_seconds",
/// "schedule_bubble_of_ideal", "schedule_ranks_0_peak_bytes" and so on.
/// @param pipeline  simulate_pipeline() of the result's plan
Derivation explain(const Result &result, const PlanPipeline &pipeline);

/// The tree of explain() plus the spread over simulations of the outer loop: "outer_utilisation_p10" and "_p90".
/// @pre the result has an outer loop
Derivation explain(const Result &result, const OuterRuns &runs);

inline constexpr std::string_view changed_prefix = "changed_"; ///< prefix of the names of a second plan's figures
inline constexpr std::string_view varied_prefix = "varied_"; ///< prefix of the names of a second pair of plans' figures
/// Joins the trees of two plans, or of two pairs of plans, in one tree. The names of the second's figures get a prefix.
Derivation explain_both(Derivation before, Derivation after, std::string_view prefix = changed_prefix);
/// The change of a figure from the first plan to the second, named "gain_" plus the figure's name. Unless the first
/// value is 0, "gain_share_" is the change relative to its absolute value. Empty if a plan lacks the figure.
/// @param both  trees of both plans, from explain_both()
/// @param with  appended to the title: "with tensor-parallel ranks at 8"; may be empty
std::vector<Derivation> explain_gains(const Derivation &both, std::string_view figure, const std::string &with = {},
                                      std::string_view prefix = changed_prefix);
/// explain_both(), with the gains of the figure added to its figures.
Derivation explain_difference(Derivation before, Derivation after, const std::string &figure, const std::string &with,
                              std::string_view prefix = changed_prefix);
Derivation explain_change(const Result &before, const Result &after, std::string_view figure);

/// The node of one figure, by the path of its JSON key ("step.seconds", "memory.stages.0.weights_bytes"); null if the
/// tree has none.
const Derivation *find_figure(const Derivation &tree, std::string_view path);

} // namespace meshwright
