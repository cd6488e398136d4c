// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace meshwright {

/// A block of consecutive layers that compute or communicate together. Times are in seconds from the start of the
/// backward pass.
struct LaneBlock {
    int last_layer = 0; ///< layer whose backward pass comes first
    int first_layer = 0;
    double start = 0;
    double end = 0;
};

/// A backward pass and the gradient reductions that overlap with it. Reductions run one after another.
struct OverlapLanes {
    std::vector<LaneBlock> backward; ///< backward passes, one block per layer
    std::vector<LaneBlock> reductions; ///< reductions, one block per bucket

    double compute_seconds() const { return backward.back().end; }
    double seconds() const { return reductions.back().end; }
    double exposed_seconds() const { return seconds() - compute_seconds(); }
};

/// Each bucket is reduced once the gradients of all its layers are ready. With one layer per bucket, the exposed time
/// equals the formula `overlap`.
/// @param layers at least 1
/// @param backward_seconds time of the backward pass of all layers
/// @param layer_communication_seconds time to reduce the gradients of one layer
/// @param bucket_layers layers per bucket, at least 1; the last bucket may have fewer
/// @param latency latency of each bucket's reduction, in seconds
OverlapLanes overlap_lanes(int layers, double backward_seconds, double layer_communication_seconds, int bucket_layers,
                           double latency);

} // namespace meshwright
