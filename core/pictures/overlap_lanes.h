// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace meshwright {

/// Consecutive layers that compute or communicate together, in seconds from the start of the backward pass.
struct LaneBlock {
    int last_layer = 0; ///< the layer that runs first, because the backward pass starts at the last layer
    int first_layer = 0;
    double start = 0;
    double end = 0;
};

/// A backward pass and the gradient reductions that overlap with it, one after another on their own queue.
struct OverlapLanes {
    std::vector<LaneBlock> backward; ///< one block per layer
    std::vector<LaneBlock> reductions; ///< one block per bucket

    double compute_seconds() const { return backward.back().end; }
    double seconds() const { return reductions.back().end; }
    double exposed_seconds() const { return seconds() - compute_seconds(); }
};

/// A bucket is reduced once the last of its layers has its gradients. With a layer per bucket, the exposed time equals
/// the formula overlap.
/// @param layers at least 1
/// @param backward_seconds backward pass of all layers
/// @param layer_communication_seconds gradient reduction of one layer
/// @param bucket_layers layers per bucket, at least 1; the last bucket may have fewer
/// @param latency latency of each bucket's reduction, in seconds
OverlapLanes overlap_lanes(int layers, double backward_seconds, double layer_communication_seconds, int bucket_layers,
                           double latency);

} // namespace meshwright
