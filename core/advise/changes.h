// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/evaluate.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

/// One change to a plan: the changed plan, and the JSON merge patch that applies the change to the plan's document.
struct Change {
    std::string title;
    std::string patch;
    Plan plan;
    int fields = 1;
};

struct EvaluatedChange {
    Change change;
    bool fits = false;
    double step_seconds = 0;
    double run_seconds = 0; ///< set only for changes of the outer loop
    double headroom_bytes = 0;
};

/// Changes that need less memory: recomputation, sharding, lower precision, smaller microbatches, offloading.
std::vector<Change> memory_changes(const Plan &plan);
/// Neighboring configurations: each degree halved or doubled, with dependent fields adjusted.
std::vector<Change> layout_changes(const Plan &plan);
/// Changes of the outer loop that overlap or reduce its traffic.
std::vector<Change> outer_changes(const Plan &plan);

/// Changes the parallel degrees; the data-parallel degree uses the site's remaining accelerators. Returns nothing if
/// the degrees do not divide the site's accelerators.
std::optional<Change> with_degrees(const Plan &plan, std::int64_t tensor, std::int64_t pipeline);
Change with_micro(const Plan &plan, std::int64_t micro);
Change with_recompute(const Plan &plan, RecomputeMode mode);
Change with_zero_stage(const Plan &plan, std::int64_t stage);
Change with_chunks(const Plan &plan, std::int64_t chunks);

/// Combines two changes. `second` must be a change of the plan that results from `first`.
Change combined(const Change &first, const Change &second);

/// Step time and headroom of the changed plan. Returns nothing if that plan is invalid.
std::optional<EvaluatedChange> evaluate_change(const Change &change);
/// Evaluates a change of the outer loop. `depth` selects the full or the short simulation of the run.
std::optional<EvaluatedChange> evaluate_outer_change(const Change &change, Depth depth);

/// Describes the gain of a change: the difference in step time ("-2.8 s"), or in headroom if the plan does not fit
/// ("+36.0 GB").
std::string time_gain(const EvaluatedChange &change, const Result &result);
std::string memory_gain(const EvaluatedChange &change, const Result &result);

} // namespace meshwright
