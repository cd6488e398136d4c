// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshwright {

/// What a rank of a pipeline holds.
struct RankKind {
    std::vector<double> layers; ///< of each of the model's blocks
    bool embedding = false;
    bool head = false;
    std::vector<std::size_t> stages; ///< of one such rank
};

/// How the layers of a plan lie on its virtual stages.
struct StageRuns {
    std::vector<std::int64_t> first; ///< layer of each stage, and one beyond the last layer
    std::vector<std::size_t> of_first_rank; ///< its stages
    std::vector<std::size_t> of_last_rank;
    std::vector<RankKind> fullest; ///< every rank holds no more of anything than one of these
    std::int64_t most = 0; ///< layers of a stage
    bool both_ways = false; ///< a rank holds one stage of either direction
    std::size_t index = 0; ///< among those of as many ranks
    std::size_t kinds = 0; ///< the same, of the first whose ranks hold as much
};
StageRuns stage_runs(const Plan &plan);
/// Whether their fullest ranks hold the same, on whichever stages.
bool hold_as_much(const StageRuns &a, const StageRuns &b);

} // namespace meshwright
