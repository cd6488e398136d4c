// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshwright {

/// A place among virtual stages, or of a layer: no model has more than some thousands of either, and a space lists them
/// for every number of chunks.
using StagePlace = std::uint32_t;

/// What a rank of a pipeline holds.
struct RankKind {
    std::vector<double> layers; ///< of each of the model's blocks
    bool embedding = false;
    bool head = false;
    std::vector<StagePlace> stages; ///< of one such rank
};

/// How the layers of a plan lie on its virtual stages.
struct StageRuns {
    std::vector<StagePlace> first; ///< layer of each stage, and one beyond the last layer
    std::vector<StagePlace> of_first_rank; ///< its stages
    std::vector<StagePlace> of_last_rank;
    std::vector<RankKind> fullest; ///< every rank holds no more of anything than one of these
    std::int64_t most = 0; ///< layers of a stage
    bool both_ways = false; ///< a rank holds one stage of either direction
    std::size_t index = 0; ///< among those of as many ranks
    std::size_t kinds = 0; ///< the same, of the first whose ranks hold as much

    std::int64_t first_layer(std::size_t stage) const { return first[stage]; }
    std::size_t bytes() const; ///< about
};
StageRuns stage_runs(const Plan &plan);
/// Whether their fullest ranks hold the same, on whichever stages.
bool hold_as_much(const StageRuns &a, const StageRuns &b);

} // namespace meshwright
