// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/comparison_run.h"

#include "input/diagnostic.h"

#include <QCoreApplication>

#include <algorithm>

namespace meshwright {

namespace {

struct ComparisonRuns {
    Q_DECLARE_TR_FUNCTIONS(ComparisonRuns)
};

/// Longer pipelines take seconds to simulate and to draw. The Pipeline view draws them for one plan.
constexpr double maxOperations = 150'000;

double operationsOf(const Plan &plan) {
    const double parts = 3 * static_cast<double>(plan.parallelism.pipeline) * plan.slices();
    return parts * static_cast<double>(plan.microbatches()) * static_cast<double>(plan.layer_chunks());
}

ComparedTimeline timelineOfPlan(const Plan &plan) {
    ComparedTimeline drawn;
    if (operationsOf(plan) > maxOperations) {
        drawn.problem = ComparisonRuns::tr("This pipeline has too many operations to draw here. Open the plan to see "
                                           "it in the Pipeline view.");
        return drawn;
    }
    const auto run = std::make_shared<const ScheduleRun>(runSchedule({.plan = plan, .patch = {}}));
    if (run->pipeline == nullptr) {
        drawn.problem = run->problem;
        return drawn;
    }
    drawn.run = run;
    drawn.timeline = timelineOf(*run->pipeline, {});
    return drawn;
}

} // namespace

ComparisonPointer runComparison(const ComparisonQuestion &question, const Library &library,
                                const std::stop_token &stop) {
    auto run = std::make_shared<ComparisonRun>();
    run->question = question;
    try {
        run->comparison = compare_plans(question.plans, library, stop);
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        run->problem = QString::fromStdString(first.message.text);
    }
    return run;
}

std::vector<ComparedTimeline> drawTimelines(const ComparisonQuestion &question,
                                            const std::vector<ComparedTimeline> &last, const std::stop_token &stop) {
    std::vector<ComparedTimeline> all;
    for (const NamedPlan &each : question.plans) {
        const auto known = std::find_if(last.begin(), last.end(), [&each](const ComparedTimeline &drawn) {
            return drawn.run != nullptr && drawn.run->plan == each.plan;
        });
        all.push_back(known != last.end() ? *known : timelineOfPlan(each.plan));
        if (stop.stop_requested())
            break;
    }
    return all;
}

} // namespace meshwright
