// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

/// A model and its bytes per parameter for each state.
struct ModelStates {
    double parameters = 0;
    double weight_bytes = 2;
    double gradient_bytes = 2;
    double optimizer_bytes = 12; ///< FP32 master weights and two Adam states
};

/// Bytes per rank of one model state.
struct StateShard {
    double whole = 0; ///< bytes of the state without sharding
    double held = 0;
    bool is_sharded() const { return held < whole; }
};

/// Model states per rank with ZeRO. Source: ZeRO, arXiv 1910.02054, figure 1.
struct ZeroShards {
    int stage = 0;
    int ranks = 1;
    StateShard weights;
    StateShard gradients;
    StateShard optimizer;
    double held = 0; ///< bytes of all states on the rank
    /// Bytes that each rank sends per step: an all-reduce of gradients without ZeRO, a reduce-scatter of gradients and
    /// an all-gather of weights from stage 1 on, and two all-gathers with stage 3.
    double sent_bytes = 0;
};

/// @param stage 0 to 3
ZeroShards zero_shards(const ModelStates &model, int ranks, int stage);

} // namespace meshwright
