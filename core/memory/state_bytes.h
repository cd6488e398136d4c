// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/placement.h"
#include "layers/layer_cost.h"

namespace meshwright {

/// Bytes of one kind for each parameter that a rank would hold without sharding; or all of them on a rank.
struct StateBytes {
    double weights = 0;
    double gradients = 0;
    double master = 0;
    double moments = 0;
};

/// State of the plan's optimizer and formats. AdamW keeps two moments; 8-bit Adam two of one byte with block scales
/// (arXiv 2110.02861); Muon one (arXiv 2502.16982); Adafactor rows and columns (arXiv 1804.04235), taken as none; SGD
/// its momentum.
StateBytes state_bytes(const Plan &plan);

/// What a rank with so many parameters keeps of each state, wherever it lies. @param shards  of the plan
StateBytes rank_state_bytes(const Plan &plan, const ShardGroups &shards, const RankParameters &parameters);

/// Weights, gradients, master copy and moments of such a rank, on its device: linear in its parameters.
double device_state_bytes(const Plan &plan, const ShardGroups &shards, const RankParameters &parameters);

} // namespace meshwright
