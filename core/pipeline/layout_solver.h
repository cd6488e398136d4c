// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace meshwright {

/// Time and memory that one layer adds to its virtual stage.
struct LayerLoad {
    double seconds = 0; ///< time of one microbatch's forward and backward passes
    double bytes = 0; ///< bytes that the layer adds to its rank's peak memory
};

/// Layers in model order, to be split into virtual stages.
struct LayoutProblem {
    std::vector<LayerLoad> layers; ///< load of each layer without recomputation
    std::vector<LayerLoad> recomputed; ///< load of each layer with recomputation; empty if no layer is recomputed
    std::int64_t recomputed_layers = 0; ///< number of recomputed layers per stage, counted from its first layer
    LayerLoad first; ///< load of the embedding, which is on the first stage
    LayerLoad last; ///< load of LM head, loss and MTP modules, which are on the last stage
    std::vector<double> budget_bytes; ///< bytes available for the layers of each virtual stage
    /// Bytes of each layer by stage, if they depend on the stage: early ranks have more microbatches in flight.
    std::vector<std::vector<double>> layer_bytes; ///< [stage][layer]; empty if the bytes are those in `layers`
};

struct LayoutSolution {
    std::vector<std::int64_t> layers; ///< number of layers on each virtual stage; may be 0
    double slowest_seconds = 0;
};

/// The pipeline layout that minimizes the slowest stage's time, with every stage within its budget. Ties are decided in
/// favor of the most even layout (minimum sum of squares), then of more layers on early stages. The result is exact:
/// dynamic programming over all layouts whose stages are not much slower than the mean. It takes O(layers^2) time if
/// layers are equal, and at most O(stages x layers^2).
/// @returns nothing if no layout fits
std::optional<LayoutSolution> solve_layout(const LayoutProblem &problem);

} // namespace meshwright
