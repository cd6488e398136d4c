// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/stages.h"
#include "search/space.h"
#include "step/step_model.h"

#include <vector>

namespace meshwright {

/// What all layers, embedding, head and prediction modules cost one microbatch together.
/// @param recomputed  whether every layer is recomputed in full
LayerCost cost_of_all_layers(Plan &plan, const LayerCosts &layers, bool recomputed);

/// A step takes no less on any number of stages: microbatches x costs are shared by all ranks of a pipeline, and the
/// busiest has no less than its share.
/// @param all  of all layers
double least_step_seconds(const Plan &plan, const LayerCost &all, const Assumptions &assumed, bool admits_paired);

/// Least step of the layouts of one unit, by schedule and sharding, from a pipeline whose ranks all are the mean of the
/// true ones. Every term of a step is a convex function of a rank's costs (sums, largest of sums), so that the longest
/// rank takes no less than the mean rank would (Jensen's inequality); where a model has layers with and without
/// experts, what starting a collective takes is left out, for a rank may have none to start.
class MeanPipeline {
public:
    /// `plan` has the unit's degrees and `layers` its groups; both are read later too. @param all  of all layers
    MeanPipeline(Plan &plan, const LayerCosts &layers, const LayerCost &all, const Assumptions &assumed,
                 const Shardings &shardings);

    double least_step_seconds(const ScheduleChoice &choice, std::size_t sharding) const {
        return least_pipeline_seconds(choice) + m_apart[kind_of(choice)][sharding];
    }

private:
    static constexpr std::size_t kinds = 3;
    static std::size_t kind_of(const ScheduleChoice &choice);
    double least_pipeline_seconds(const ScheduleChoice &choice) const;
    void gradients_and_optimizer(Plan &plan, const LayerCosts &layers, const Assumptions &assumed,
                                 const Shardings &shardings);

    PipelineCosts m_mean;
    PipelineShape m_shape; ///< all traffic seen
    PipelineShape m_paired; ///< expert traffic hidden
    double m_busy = 0; ///< of the mean rank, expert traffic seen
    double m_busy_paired = 0;
    bool m_overlaps_sends = false;
    std::array<std::vector<double>, kinds> m_apart; ///< gradients, weights and optimizer, by sharding
};

/// Least peak of a unit's layouts. The first rank holds no less than with as few layers as any rank has, each as small
/// as any. And some rank holds no less than the mean of all, whose weights, gradients and optimizer states are their
/// shares of the model's, beside the least that a rank needs to run at all.
class LeanRank {
public:
    /// @param all  of all layers
    LeanRank(const Plan &plan, const LayerCosts &layers, const LayerCost &all, RecomputeMode recompute);
    /// `plan` has the layout's fields.
    double first_rank_bytes(const Plan &plan, const LayerCosts &layers, const ScheduleChoice &choice,
                            const Assumptions &assumed);
    /// Of any layout with the plan's sharding, whatever its schedule: `plan` has the degrees and the sharding.
    double least_bytes(const Plan &plan, const LayerCosts &layers, const Assumptions &assumed) const;
    /// The same, after first_rank_bytes() of the same layout.
    double mean_rank_bytes(const Plan &plan, const LayerCosts &layers, const ScheduleChoice &choice,
                           const Assumptions &assumed) const;

private:
    RankParameters m_all_parameters;
    RankParameters m_parameters; ///< of the smallest layer
    double m_saved_bytes = 0;
    double m_largest_parameters = 0;
    WorkingSet m_working;
    PipelineCosts m_costs;
};

} // namespace meshwright
