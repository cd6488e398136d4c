// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/layout.h"
#include "plan/plan.h"

#include <optional>
#include <string>

namespace meshwright {

/// Layers on virtual stages.
struct PlannedLayout {
    std::vector<std::int64_t> layers;
    std::string text; ///< Megatron's layout string; the first stage has the embedding, the last one the rest
    double slowest_seconds = 0; ///< forward and backward of one microbatch on the slowest virtual stage
    double present_seconds = 0; ///< the same of the plan as it is
    bool fits = false; ///< every rank keeps within the accelerator's memory
};

/// Megatron's layout string of a plan with so many layers on each virtual stage, of which there is at least one.
std::string layout_text(const Plan &plan, const std::vector<std::int64_t> &layers);

/// Whether the plan's layers and virtual stages are few enough that all ways to cut them are compared: their product is
/// at most four million, 250 times that of Llama 3 405B's 126 layers on 128 stages, and takes a fraction of a second.
bool is_layout_searched(const Plan &plan);

/// The layout of a valid plan whose slowest virtual stage is fastest while every rank fits, embedding, head and
/// prediction modules weighed in; where nothing fits, the fastest one. The plan's own where is_layout_searched() says
/// no.
PlannedLayout best_layout(const Plan &plan);

} // namespace meshwright
