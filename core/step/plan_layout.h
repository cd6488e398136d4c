// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/layout.h"
#include "plan/plan.h"

#include <optional>
#include <string>

namespace meshwright {

struct PlannedLayout {
    std::vector<std::int64_t> layers;
    /// Pipeline layout in Megatron's syntax. The embedding is on the first stage; loss and MTP modules are on the last.
    std::string text;
    double slowest_seconds = 0; ///< time of one microbatch's forward and backward passes on the slowest virtual stage
    double present_seconds = 0; ///< time of the slowest virtual stage in the plan's current layout
    bool fits = false;
};

/// Pipeline layout in Megatron's syntax for the given layers per virtual stage. @pre at least one virtual stage
std::string layout_text(const Plan &plan, const std::vector<std::int64_t> &layers);

/// Whether best_layout() compares all pipeline layouts: only if layers x virtual stages is at most four million, so
/// that it takes a fraction of a second. For Llama 3 405B, with 126 layers on 128 stages, the product is 1/250 of this
/// limit.
bool is_layout_searched(const Plan &plan);

/// Of the pipeline layouts in which every rank of a valid plan fits in memory, the one with the shortest time of the
/// slowest virtual stage, including embedding, head and MTP modules. If no layout fits, the fastest one. If
/// is_layout_searched() is false, the plan's own.
PlannedLayout best_layout(const Plan &plan);

} // namespace meshwright
