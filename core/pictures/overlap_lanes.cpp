// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/overlap_lanes.h"

#include "formulas/step_timelines.h"

#include <algorithm>

namespace meshwright {

OverlapLanes overlap_lanes(int layers, double backward_seconds, double layer_communication_seconds, int bucket_layers,
                           double latency) {
    std::vector<double> passes;
    std::vector<double> reductions;
    for (int done = 0; done < layers; done += bucket_layers) {
        passes.push_back(backward_seconds * std::min(bucket_layers, layers - done) / layers);
        reductions.push_back(formula::bucket_reduce_seconds(layers, bucket_layers, layer_communication_seconds, latency,
                                                            static_cast<double>(reductions.size() + 1)));
    }
    OverlapLanes lanes;
    for (const StepSpan &span : overlap_timeline(passes, reductions)) {
        const int last_layer = layers - 1 - static_cast<int>(span.index) * bucket_layers;
        const int first_layer = std::max(0, last_layer - bucket_layers + 1);
        if (span.lane == StepLane::reduce) {
            lanes.reductions.push_back({last_layer, first_layer, span.start, span.end});
            continue;
        }
        const double pass = (span.end - span.start) / (last_layer - first_layer + 1);
        for (int layer = last_layer; layer >= first_layer; --layer)
            lanes.backward.push_back(
                {.last_layer = layer,
                 .first_layer = layer,
                 .start = span.start + (last_layer - layer) * pass,
                 .end = layer == first_layer ? span.end : span.start + (last_layer - layer + 1) * pass});
    }
    return lanes;
}

} // namespace meshwright
