// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/sensitivity.h"

#include <memory>
#include <optional>
#include <string>

namespace meshwright {

/// An influence with its making.
struct ExplainedInfluence {
    /// As explain_change() of the plan and of the same with the input varied; of how much a figure changes between two
    /// plans, of both with it varied.
    Derivation tree;
    std::shared_ptr<const Result> before; ///< null where two plans are varied
    std::shared_ptr<const Result> after;
};

/// Name of the node that says an influence's change in its tree: "gain_share_step_seconds", as a share of the figure;
/// "gain_…" where the figure is 0.
std::string influence_name(const InfluenceQuestion &question, double before);

/// How varying one input changes a figure: the evaluations that influences() compares. Nothing where the plan has no
/// such variation or the figure is not explained.
/// @param variation  its pointer, from and to name it
std::optional<ExplainedInfluence> explain_influence(const InfluenceQuestion &question, const Variation &variation);

} // namespace meshwright
