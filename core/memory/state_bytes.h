// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/placement.h"
#include "layers/layer_cost.h"

namespace meshwright {

/// Bytes per parameter of each unsharded state, or bytes of each state on a rank.
template <Number N>
struct BasicStateBytes {
    N weights = 0;
    N gradients = 0;
    N master = 0;
    N moments = 0;
};
using StateBytes = BasicStateBytes<double>;

/// Bytes per parameter for the plan's optimizer and formats. AdamW has two states; 8-bit Adam has two of one byte with
/// block scales (arXiv 2110.02861); Muon has one (arXiv 2502.16982); Adafactor has row and column factors (arXiv
/// 1804.04235), which are neglected; SGD has its momentum.
template <Number N = double>
BasicStateBytes<N> state_bytes(const Plan &plan);

/// Bytes of each state that a rank stores for its parameters, on the device or offloaded. @param shards  number of
/// ranks that shard each state
template <Number N>
BasicStateBytes<N> rank_state_bytes(const Plan &plan, const BasicShardGroups<N> &shards,
                                    const BasicRankParameters<N> &parameters);

/// Fraction of the master weights and optimizer states on the device. The rest is offloaded to host memory.
template <Number N>
N on_device(const Plan &plan, const N &whole);

/// Bytes of weights, gradients, master weights and optimizer states on the rank's device. They are proportional to its
/// parameters.
double device_state_bytes(const Plan &plan, const ShardGroups &shards, const RankParameters &parameters);

} // namespace meshwright
