// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/overlap_lanes.h"

#include <algorithm>

namespace meshwright {

OverlapLanes overlap_lanes(int layers, double backward_seconds, double layer_communication_seconds, int bucket_layers,
                           double latency) {
    OverlapLanes lanes;
    for (int layer = layers - 1; layer >= 0; --layer) {
        const int done = layers - 1 - layer;
        lanes.backward.push_back({.last_layer = layer,
                                  .first_layer = layer,
                                  .start = backward_seconds * done / layers,
                                  .end = backward_seconds * (done + 1) / layers});
    }
    double queue_free = 0;
    for (int done = 0; done < layers; done += bucket_layers) {
        const int last = std::min(done + bucket_layers, layers) - 1;
        LaneBlock bucket{.last_layer = lanes.backward[done].last_layer,
                         .first_layer = lanes.backward[last].first_layer,
                         .start = std::max(queue_free, lanes.backward[last].end)};
        bucket.end = bucket.start + latency + (last - done + 1) * layer_communication_seconds;
        queue_free = bucket.end;
        lanes.reductions.push_back(bucket);
    }
    return lanes;
}

} // namespace meshwright
