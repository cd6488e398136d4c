// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/plan_pipeline.h"

#include <QString>

#include <memory>
#include <string>

namespace meshwright {

/// The simulation of a plan with one schedule, or the reason why the plan cannot run with it.
struct ScheduleRun {
    Plan plan;
    std::string patch; ///< JSON merge patch that sets this schedule; empty for the plan's own
    QString problem; ///< why the schedule does not run, in one sentence; empty if it runs
    std::shared_ptr<const PlanPipeline> pipeline; ///< null if the schedule does not run
    double milliseconds = 0; ///< computing time of the simulation

    std::size_t peakRank() const;
    double peakBytes() const;
    bool fits() const;
};

/// A plan with another schedule. Its number of chunks is adapted; a pipeline layout that no longer fits is removed.
struct ScheduleVariant {
    Plan plan;
    std::string patch;
};
ScheduleVariant variantOf(const Plan &plan, Schedule schedule);

/// Simulates the pipeline of a plan. Never throws.
ScheduleRun runSchedule(const ScheduleVariant &variant);

} // namespace meshwright
