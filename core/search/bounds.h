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
    /// `plan` has the unit's degrees and `layers` its groups. @param all  of all layers
    MeanPipeline(Plan &plan, const LayerCosts &layers, const LayerCost &all, const Assumptions &assumed);

    double least_pipeline_seconds(const ScheduleChoice &choice) const;
    /// Of the gradients, the weights and the optimizer, for the shardings that least_apart_seconds() is asked for
    /// later.
    void gradients_and_optimizer(Plan &plan, const LayerCosts &layers, const Assumptions &assumed,
                                 const Shardings &shardings, const ScheduleChoices &schedules);
    /// By sharding.
    const std::vector<double> &least_apart_seconds(const ScheduleChoice &choice) const {
        return m_apart[kind_of(choice)];
    }

private:
    static constexpr std::size_t kinds = 4; ///< of how a schedule reduces gradients
    static std::size_t kind_of(const ScheduleChoice &choice);

    PipelineCosts m_mean;
    PipelineShape m_shape; ///< all traffic seen
    PipelineShape m_paired; ///< expert traffic hidden
    double m_busy = 0; ///< of the mean rank, expert traffic seen
    double m_busy_paired = 0;
    bool m_overlaps_sends = false;
    std::array<std::vector<double>, kinds> m_apart; ///< gradients, weights and optimizer, by sharding
};

} // namespace meshwright
