// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sensitivity/sensitivity.h"

#include <memory>
#include <optional>
#include <string>

namespace meshwright {

/// The results of two plans to compare.
struct ResultPair {
    std::shared_ptr<const Result> before;
    std::shared_ptr<const Result> after;
};

/// An influence with its derivation.
struct ExplainedInfluence {
    /// Tree of explain_change() from the plan to the same plan with the input varied. For the difference of a figure
    /// between two plans: the tree from one plan to the other and, with varied_prefix, the same tree with the input
    /// varied in both plans.
    Derivation tree;
    ResultPair plans; ///< the plan before and after the variation; for a difference, the two plans
    ResultPair varied; ///< for a difference, the results of both plans with the input varied; otherwise null
};

/// Name of the node in the influence's tree that holds the change: "gain_share_step_seconds" for the change as a
/// fraction of the figure, or "gain_…" if the figure is 0.
std::string influence_name(const InfluenceQuestion &question, double before);

/// Explains how varying one input changes a figure, with the evaluations that influences() compares. Returns nothing if
/// the plan has no such variation or the figure is not explained.
/// @param variation  identified by its `pointer`, `from` and `to`
std::optional<ExplainedInfluence> explain_influence(const InfluenceQuestion &question, const Variation &variation);

} // namespace meshwright
