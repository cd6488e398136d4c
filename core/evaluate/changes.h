// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/evaluate.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

/// One way to change a plan: the changed plan, and the merge patch that changes a document so.
struct Change {
    std::string title;
    std::string patch;
    Plan plan;
    int fields = 1; ///< how many fields it sets
};

/// A change with what it brings.
struct EvaluatedChange {
    Change change;
    bool fits = false;
    double step_seconds = 0;
    double run_seconds = 0; ///< of a change of the outer loop alone
    double headroom_bytes = 0;
};

/// Changes that need less memory: recomputation, sharding, formats, splitting.
std::vector<Change> memory_changes(const Plan &plan);
/// Neighbouring layouts: half and twice of each degree, with what must follow.
std::vector<Change> layout_changes(const Plan &plan);
/// Changes of the outer loop that hide or shrink its traffic.
std::vector<Change> outer_changes(const Plan &plan);

/// A layout with other degrees; data parallelism takes what is left of the site. Nothing where they do not divide it.
std::optional<Change> with_degrees(const Plan &plan, std::int64_t tensor, std::int64_t pipeline);
/// Single changes.
Change with_micro(const Plan &plan, std::int64_t micro);
Change with_recompute(const Plan &plan, RecomputeMode mode);
Change with_zero_stage(const Plan &plan, std::int64_t stage);
Change with_chunks(const Plan &plan, std::int64_t chunks);

/// Both, the second made to the plan that the first leaves.
Change combined(const Change &first, const Change &second);

/// What a change brings in memory and in a step; nothing where the changed plan is not valid.
std::optional<EvaluatedChange> evaluate_change(const Change &change);
/// The same of a change of the outer loop, whose run is simulated as far as `depth` says.
std::optional<EvaluatedChange> evaluate_outer_change(const Change &change, Depth depth);

/// "-2.8 s", "+36.0 GB": what a change brings against a result, in step time, or in memory where the plan does not fit.
std::string time_gain(const EvaluatedChange &change, const Result &result);
std::string memory_gain(const EvaluatedChange &change, const Result &result);

} // namespace meshwright
