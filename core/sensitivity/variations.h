// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "plan/plan.h"

#include <functional>
#include <string>

namespace meshwright {

/// A variation of one input. A continuous value grows by 10% (less at the end of its range), a discrete value changes
/// to the next higher or lower one, and the training software is replaced by the preset "ideal".
struct Variation {
    std::string what; ///< name of the input, such as "tensor-parallel ranks"
    std::string pointer; ///< JSON pointer in the plan, such as "/parallelism/tensor" or "/assumptions/link-efficiency"
    Origin origin = Origin::plan;
    std::string from; ///< formatted value, such as "8", "450 GB/s" or "full"
    std::string to;
};

/// Adjusts fields that follow the degrees as if the document did not set them: data parallelism, an even pipeline
/// layout, sequence parallelism, the schedule for chunks, and a quorum of all sites.
void settle_degrees(Plan &plan, const Plan &before);

/// Calls `visit` with each variation of an input and the resulting plan, if that plan is valid. Fields that follow a
/// degree (data parallelism, an even pipeline layout, sequence parallelism) are adjusted.
void for_each_variation(const Plan &plan, const std::function<void(const Variation &, const Plan &)> &visit);

} // namespace meshwright
