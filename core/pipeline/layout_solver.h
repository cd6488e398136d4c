// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace meshwright {

/// Time and memory that one layer adds to its virtual stage.
struct LayerLoad {
    double seconds = 0; ///< forward and backward of one microbatch
    double bytes = 0; ///< bytes that the layer adds to its rank at the rank's memory peak
};

/// Layers in model order, to be split into virtual stages.
struct LayoutProblem {
    std::vector<LayerLoad> layers; ///< load of each layer without recomputation
    std::vector<LayerLoad> recomputed; ///< load of each layer with recomputation; empty if no layer is recomputed
    std::int64_t recomputed_layers = 0; ///< number of recomputed layers per stage, from its first on
    LayerLoad first; ///< load of the embedding on the first stage
    LayerLoad last; ///< load of LM head, loss and MTP modules on the last stage
    std::vector<double> budget_bytes; ///< memory for the layers of each virtual stage; one entry per stage
    /// Bytes of each layer by stage, if they depend on it: early ranks have more microbatches in flight.
    std::vector<std::vector<double>> layer_bytes; ///< [stage][layer]; empty: as in `layers`
};

struct LayoutSolution {
    std::vector<std::int64_t> layers; ///< number of layers on each virtual stage; 0 is valid
    double slowest_seconds = 0; ///< time of the slowest stage
};

/// The pipeline layout whose slowest stage is fastest and whose stages all stay within their budgets; among those the
/// most even one (least sum of squares), then the one with more layers in front. Exact: dynamic programming over all
/// layouts whose stages are not much slower than the mean. Takes time layers^2 if layers are alike, and at most stages
/// x layers^2.
/// @returns nothing if no layout fits
std::optional<LayoutSolution> solve_layout(const LayoutProblem &problem);

} // namespace meshwright
