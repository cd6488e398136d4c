// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/placement.h"
#include "layers/layer_cost.h"

namespace meshwright {

/// Bytes per parameter of each state without sharding, or the total bytes on a rank.
struct StateBytes {
    double weights = 0;
    double gradients = 0;
    double master = 0;
    double moments = 0;
};

/// State of the plan's optimizer and formats. AdamW has two moments; 8-bit Adam two of one byte with block scales
/// (arXiv 2110.02861); Muon one (arXiv 2502.16982); Adafactor row and column factors (arXiv 1804.04235), counted as
/// none; SGD its momentum.
StateBytes state_bytes(const Plan &plan);

/// Bytes of each state that a rank stores for its parameters, on the device or offloaded. @param shards of the plan
StateBytes rank_state_bytes(const Plan &plan, const ShardGroups &shards, const RankParameters &parameters);

/// Weights, gradients, master weights and moments on the rank's device: linear in its parameters.
double device_state_bytes(const Plan &plan, const ShardGroups &shards, const RankParameters &parameters);

} // namespace meshwright
