// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/plan_comparison.h"
#include "gantt/pipeline_timeline.h"
#include "gantt/schedule_run.h"

#include <QString>

#include <memory>
#include <stop_token>
#include <vector>

namespace meshwright {

class Library;

/// The plans to compare, the current one first.
struct ComparisonQuestion {
    std::vector<NamedPlan> plans;
};

struct ComparisonRun {
    ComparisonQuestion question;
    PlanComparison comparison;
    QString problem; ///< why there is no comparison, in one sentence; empty if there is one
};
using ComparisonPointer = std::shared_ptr<const ComparisonRun>;

/// Does not throw on invalid input: ComparisonRun::problem then has the reason. @throws Stopped
ComparisonPointer runComparison(const ComparisonQuestion &question, const Library &library,
                                const std::stop_token &stop);

struct ComparedTimeline {
    std::shared_ptr<const ScheduleRun> run; ///< null if the pipeline is not drawn; `problem` gives the reason
    PipelineTimeline timeline;
    QString problem;
};

/// Simulates the pipelines of all plans; reuses a pipeline of `last` if its plan is the same.
std::vector<ComparedTimeline> drawTimelines(const ComparisonQuestion &question,
                                            const std::vector<ComparedTimeline> &last, const std::stop_token &stop);

} // namespace meshwright
