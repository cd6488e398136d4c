// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/stage_runs.h"
#include "step/step_model.h"

#include <algorithm>
#include <vector>

namespace meshwright {

/// What a rank costs by what it holds, every layer stored or every layer recomputed in full.
class RankCosts {
public:
    RankCosts(const Plan &plan, const LayerCosts &layers, bool recomputed);

    /// One microbatch; saved bytes are left out.
    LayerCost of(const RankKind &kind) const;
    /// The same in seconds, without looking up the embedding.
    double seconds_of(const RankKind &kind) const;
    const LayerCost &all() const { return m_all; } ///< of the whole model

private:
    struct Block {
        LayerCost cost;
        double seconds = 0;
    };
    std::vector<Block> m_blocks;
    LayerCost m_embedding;
    LayerCost m_head; ///< with prediction modules
    double m_head_seconds = 0;
    RankParameters m_tied_copy; ///< of the embedding, for a head on a rank of its own; nothing where they are apart
    LayerCost m_all;
};

/// The rank of a pipeline that a microbatch keeps longest. A step ends when its last rank does, so that none takes less
/// than this one, whose times come from the step's own formulas. What it and the others hold is the same however the
/// pipeline is run and wherever its states lie.
class LongestRank {
public:
    /// `plan` has the number of stages. @param hop  see stage_hop_seconds()
    /// @param straggler  see formula::straggler_factor
    LongestRank(const Plan &plan, const RankCosts &costs, const StageRuns &runs, double hop, double straggler);

    /// Seconds of a step's passes, with whichever schedule.
    double passes_seconds() const { return std::min(m_seconds, m_paired_seconds); }
    /// Seconds of a step that the pipeline takes with the schedule of `plan`: passes, waits and sends.
    double pipeline_seconds(const Plan &plan) const;
    /// Seconds of gradients, weights and optimizer with the layout of `plan`.
    /// @param rings  of that layout
    double unoverlapped_seconds(const Plan &plan, const LayerCosts &layers, const DataRings &rings,
                                const Assumptions &assumed) const;
    std::size_t kind() const { return m_kind; } ///< which of the fullest it is

private:
    std::size_t m_kind;
    LayerCost m_cost; ///< of one microbatch
    PipelineShape m_shape; ///< beside all other ranks together; schedule, chunks and group are a plan's
    double m_seconds; ///< of a step's passes
    double m_paired_seconds; ///< the same where two microbatches run side by side
};

} // namespace meshwright
