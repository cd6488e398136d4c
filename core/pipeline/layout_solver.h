// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace meshwright {

/// What one layer adds to the virtual stage that holds it.
struct LayerLoad {
    double seconds = 0; ///< forward and backward of one microbatch
    double bytes = 0; ///< on the stage's rank, at its peak
};

/// Layers in model order, to be cut into virtual stages.
struct LayoutProblem {
    std::vector<LayerLoad> layers; ///< as they are stored
    std::vector<LayerLoad> recomputed; ///< the same where they are recomputed; empty: none is
    std::int64_t recomputed_layers = 0; ///< so many of a stage's first layers are
    LayerLoad first; ///< embedding
    LayerLoad last; ///< head, loss and prediction modules
    std::vector<double> budget_bytes; ///< of each virtual stage; its size is the number of stages
    /// How the bytes of a layer grow with the stage (more microbatches in flight on an early rank); 1 where empty.
    std::vector<std::vector<double>> layer_bytes; ///< [stage][layer]; empty: those of `layers`
};

struct LayoutSolution {
    std::vector<std::int64_t> layers; ///< of each virtual stage; 0 is legal
    double slowest_seconds = 0; ///< of a stage
};

/// The cut whose slowest stage is fastest while every stage keeps its budget; among those the most even one (least sum
/// of squares), then the one with more layers in front. Exact: dynamic programming over all cuts whose stages are not
/// much slower than the mean, in time layers^2 where layers are alike, at most stages x layers^2.
/// @returns nothing where no cut fits
std::optional<LayoutSolution> solve_layout(const LayoutProblem &problem);

} // namespace meshwright
