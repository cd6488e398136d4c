// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/plan_pipeline.h"

#include <QString>

#include <memory>
#include <string>

namespace meshwright {

/// One schedule of a plan executed, or why it cannot be.
struct ScheduleRun {
    Plan plan; ///< with this schedule
    std::string patch; ///< JSON merge patch that gives a document this schedule; empty for the plan's own
    QString problem; ///< one sentence; empty where it runs
    std::shared_ptr<const PlanPipeline> pipeline; ///< null where it does not run
    double milliseconds = 0; ///< that the simulation took

    std::size_t peakRank() const;
    double peakBytes() const;
    bool fits() const;
};

/// The plan with another schedule: with the chunks that it needs, and without a layout for others.
struct ScheduleVariant {
    Plan plan;
    std::string patch;
};
ScheduleVariant variantOf(const Plan &plan, Schedule schedule);

/// Executes a plan's pipeline. Throws nothing.
ScheduleRun runSchedule(const ScheduleVariant &variant);

} // namespace meshwright
