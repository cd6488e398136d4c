// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sensitivity/sensitivity.h"

#include <memory>
#include <optional>
#include <string>

namespace meshwright {

struct ResultPair {
    std::shared_ptr<const Result> before;
    std::shared_ptr<const Result> after;
};

struct ExplainedInfluence {
    /// Tree of explain_change() from the plan to the same plan with the input varied. If the figure is the difference
    /// between two plans, the tree combines two trees from one plan to the other: one for the plans as they are and,
    /// with varied_prefix, one for the plans with the input varied.
    Derivation tree;
    ResultPair plans; ///< results before and after the variation; for a difference, results of the two plans
    ResultPair varied; ///< for a difference, both plans' results with the input varied; otherwise null
};

/// Name of the tree node with the change: "gain_share_step_seconds" for a change as a fraction of the figure, or
/// "gain_…" if the figure is 0.
std::string influence_name(const InfluenceQuestion &question, double before);

/// Explains how varying one input changes a figure, with the same evaluations as influences(). Returns nothing if the
/// plan has no such variation or the figure has no derivation.
/// @param variation  identified by its `pointer`, `from` and `to`
std::optional<ExplainedInfluence> explain_influence(const InfluenceQuestion &question, const Variation &variation);

} // namespace meshwright
