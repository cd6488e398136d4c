// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshwright {

/// Index of a virtual stage or a layer. It has 32 bits to save memory, because indices are listed for every number of
/// chunks.
using StagePlace = std::uint32_t;

/// Layers of a pipeline rank, and whether it has the embedding and the LM head.
struct RankKind {
    std::vector<double> layers;
    bool embedding = false;
    bool head = false;
    std::vector<StagePlace> stages; ///< virtual stages of one rank with these contents
};

/// The distribution of a plan's layers over its virtual stages.
struct StageRuns {
    std::vector<StagePlace> first; ///< first layer of each stage, followed by one past the last layer
    std::vector<StagePlace> of_first_rank;
    std::vector<StagePlace> of_last_rank;
    /// Rank contents that bound all ranks: every rank has at most as many layers, embeddings and LM heads as one of
    /// these.
    std::vector<RankKind> fullest;
    std::int64_t most = 0;
    bool both_ways = false; ///< whether a rank has one stage of each direction
    std::size_t index = 0; ///< index of this distribution among the splits with the same number of ranks
    std::size_t kinds = 0; ///< index of the first split that is equal to this one by hold_as_much()

    std::int64_t first_layer(std::size_t stage) const { return first[stage]; }
    std::size_t bytes() const;
};
StageRuns stage_runs(const Plan &plan);
/// Whether the ranks in `fullest` of both distributions have the same numbers of layers, embeddings and heads,
/// whichever stages they have.
bool hold_as_much(const StageRuns &a, const StageRuns &b);

} // namespace meshwright
