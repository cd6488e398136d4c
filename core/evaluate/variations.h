// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "plan/plan.h"

#include <functional>
#include <string>

namespace meshwright {

/// One input of a plan a little larger, or one stop further: +10 % on what is an amount (less where its range ends
/// there), the next stop up and the next one down on what has stops, the ideal stack for the training software.
struct Variation {
    std::string what; ///< "tensor-parallel ranks"
    std::string pointer; ///< JSON pointer in the plan: "/parallelism/tensor", "/assumptions/link-efficiency"
    Origin origin = Origin::plan;
    std::string from; ///< "8", "450 GB/s", "full"
    std::string to;
};

/// What follows from a degree follows it, as where a document leaves it out: data parallelism, an even layout, sequence
/// parallelism, the schedule of chunks, a quorum of all sites.
void settle_degrees(Plan &plan, const Plan &before);

/// Calls `visit` with each input's variation and the plan that it makes; only with valid plans. What follows from a
/// degree (data parallelism, an even layout, sequence parallelism) follows it.
void for_each_variation(const Plan &plan, const std::function<void(const Variation &, const Plan &)> &visit);

} // namespace meshwright
