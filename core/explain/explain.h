// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "formulas/derivation.h"
#include "outer/monte_carlo.h"
#include "step/plan_pipeline.h"

#include <string>
#include <string_view>

namespace meshwright {

/// The derivation of a result's figures: a tree whose root is the run time and whose inputs are the figures, named by
/// their JSON paths with underscores ("step_seconds", "memory_stages_0_weights_bytes"). Figures equal the result's
/// figures up to rounding, and every node with a formula has the value of the formula over its inputs.
Derivation explain(const Result &result);

/// The tree of explain() plus the figures of the simulated pipeline: "schedule_makespan_seconds",
/// "schedule_bubble_of_ideal", "schedule_ranks_0_peak_bytes" and so on.
/// @param pipeline  simulate_pipeline() of the result's plan
Derivation explain(const Result &result, const PlanPipeline &pipeline);

/// The tree of explain() plus the variation over simulations of the outer loop: "outer_utilisation_p10" and "_p90".
/// @pre the result has an outer loop
Derivation explain(const Result &result, const OuterRuns &runs);

inline constexpr std::string_view changed_prefix = "changed_"; ///< prefix for figures of the second plan
inline constexpr std::string_view varied_prefix = "varied_"; ///< prefix for figures of the second pair of plans
/// Combines the trees of two plans, or of two pairs of plans. The names of the second tree's figures have a prefix.
Derivation explain_both(Derivation before, Derivation after, std::string_view prefix = changed_prefix);
/// The difference of a figure between two plans, named "gain_" with the figure's name. If the figure is not 0 in the
/// first plan, "gain_share_" gives the difference as a fraction of its absolute value. Empty if one plan lacks the
/// figure.
/// @param both  trees of both plans, from explain_both()
/// @param with  appended to the title, such as "with tensor-parallel ranks at 8"; may be empty
std::vector<Derivation> explain_gains(const Derivation &both, std::string_view figure, const std::string &with = {},
                                      std::string_view prefix = changed_prefix);
/// Combines two trees with explain_both() and adds the differences of the figure.
Derivation explain_difference(Derivation before, Derivation after, const std::string &figure, const std::string &with,
                              std::string_view prefix = changed_prefix);
Derivation explain_change(const Result &before, const Result &after, std::string_view figure);

/// The node of one figure, by the path of its JSON key ("step.seconds", "memory.stages.0.weights_bytes"); null if the
/// tree has none.
const Derivation *find_figure(const Derivation &tree, std::string_view path);

} // namespace meshwright
