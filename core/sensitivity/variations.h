// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "plan/plan.h"

#include <functional>
#include <string>

namespace meshwright {

/// One input of a plan, varied: +10% for a continuous value (less at the end of its range), the next value up and the
/// next one down for discrete ones, the ideal stack for the training software.
struct Variation {
    std::string what; ///< "tensor-parallel ranks"
    std::string pointer; ///< JSON pointer in the plan: "/parallelism/tensor", "/assumptions/link-efficiency"
    Origin origin = Origin::plan;
    std::string from; ///< "8", "450 GB/s", "full"
    std::string to;
};

/// Adjusts fields that depend on degrees, as for a document that leaves them out: data parallelism, an even pipeline
/// layout, sequence parallelism, the schedule for chunks, a quorum of all sites.
void settle_degrees(Plan &plan, const Plan &before);

/// Calls `visit` with each input's variation and the plan that results; only with valid plans. Fields that depend on a
/// degree (data parallelism, an even pipeline layout, sequence parallelism) are adjusted.
void for_each_variation(const Plan &plan, const std::function<void(const Variation &, const Plan &)> &visit);

} // namespace meshwright
