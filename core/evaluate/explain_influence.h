// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/sensitivity.h"

#include <memory>
#include <optional>
#include <string>

namespace meshwright {

/// Two plans' results, set against each other.
struct ResultPair {
    std::shared_ptr<const Result> before;
    std::shared_ptr<const Result> after;
};

/// An influence with its derivation.
struct ExplainedInfluence {
    /// As explain_change() of the plan and of the same with the input varied. Of how much a figure changes between two
    /// plans that of both, and with varied_prefix the same of both with the input varied.
    Derivation tree;
    ResultPair plans; ///< the plan as it is and varied; of a change, the plans that it is between
    ResultPair varied; ///< of a change: both with the input varied; else nulls
};

/// Name of the node that says an influence's change in its tree: "gain_share_step_seconds", as a share of the figure;
/// "gain_…" where the figure is 0.
std::string influence_name(const InfluenceQuestion &question, double before);

/// How varying one input changes a figure: the evaluations that influences() compares. Nothing where the plan has no
/// such variation or the figure is not explained.
/// @param variation  its pointer, from and to name it
std::optional<ExplainedInfluence> explain_influence(const InfluenceQuestion &question, const Variation &variation);

} // namespace meshwright
