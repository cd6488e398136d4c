// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/stage_runs.h"
#include "step/step_model.h"

#include <algorithm>
#include <vector>

namespace meshwright {

/// Cost of a rank, from its layers. Either all of its activations are saved or all are recomputed.
class RankCosts {
public:
    RankCosts(const Plan &plan, const LayerCosts &layers, bool recomputed);

    /// Cost per microbatch, without saved bytes.
    LayerCost of(const RankKind &kind) const;
    /// Time per microbatch in seconds, without the embedding lookup.
    double seconds_of(const RankKind &kind) const;
    const LayerCost &all() const { return m_all; }

private:
    struct Block {
        LayerCost cost;
        double seconds = 0;
    };
    std::vector<Block> m_blocks;
    LayerCost m_embedding;
    LayerCost m_head; ///< cost of the LM head and the MTP modules
    double m_head_seconds = 0;
    /// Second copy of a tied embedding, for an LM head on another rank; empty if weights are not tied.
    RankParameters m_tied_copy;
    LayerCost m_all;
};

/// The pipeline rank with the longest time per microbatch. A step ends only when every rank has finished, so the time
/// of this rank, calculated with the step's own formulas, is a lower bound on step time. The costs of ranks are the
/// same for any schedule and sharding.
class LongestRank {
public:
    /// @param plan  its number of stages is that of `runs`
    /// @param hop  result of stage_hop_seconds()
    /// @param straggler  result of formula::straggler_factor
    LongestRank(const Plan &plan, const RankCosts &costs, const StageRuns &runs, double hop, double straggler);

    /// Time of forward and backward passes per step in seconds, for any schedule.
    double passes_seconds() const { return std::min(m_seconds, m_paired_seconds); }
    /// Time of the pipeline per step in seconds with the schedule of `plan`: passes, waits and sends.
    double pipeline_seconds(const Plan &plan) const;
    /// Time in seconds of gradient and weight communication and of the optimizer, with the configuration of `plan`.
    /// @param rings  rings of that configuration
    double unoverlapped_seconds(const Plan &plan, const LayerCosts &layers, const DataRings &rings,
                                const Assumptions &assumed) const;
    std::size_t kind() const { return m_kind; } ///< index of this rank's contents in StageRuns::fullest

private:
    std::size_t m_kind;
    LayerCost m_cost;
    PipelineShape m_shape; ///< input of the closed forms; schedule, chunks and group are taken from a plan
    double m_seconds;
    double m_paired_seconds; ///< time of the forward and backward passes per step if two microbatches run in parallel
};

} // namespace meshwright
