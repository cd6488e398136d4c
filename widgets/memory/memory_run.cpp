// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_run.h"

#include "evidence/memory_profile.h"
#include "input/diagnostic.h"
#include "plan/plan_json.h"

#include <algorithm>
#include <utility>

namespace meshwright {
namespace {

/// Converts a profile to a trace, and repeats the last point at the end of the step so that the trace covers the step.
MeasuredTrace measuredTrace(MemoryProfile profile) {
    MemoryPoint end = profile.memory.points.back();
    end.seconds = profile.seconds;
    profile.memory.points.push_back(end);
    return {.trace = std::make_shared<const MemoryTrace>(std::move(profile.memory)),
            .name = QString::fromStdString(profile.name),
            .description = QString::fromStdString(profile.description),
            .source = QString::fromStdString(profile.source),
            .step = static_cast<int>(profile.step),
            .seconds = profile.seconds};
}

TimeRange optimizerOf(const StepMemory &memory) {
    const auto found = std::find_if(memory.points.begin(), memory.points.end(),
                                    [](const MemoryPoint &point) { return point.moment == StepMoment::optimizer; });
    return found == memory.points.end() ? TimeRange{} : TimeRange{found->seconds, memory.points.back().seconds};
}

} // namespace

MemoryRun runMemory(const MemoryQuestion &question, const Library &library, const MemoryRun *before) {
    MemoryRun run{.plan = question.plan};
    const bool known = before != nullptr && before->schedule != nullptr && before->plan == question.plan;
    run.schedule = known ? before->schedule
                         : std::make_shared<const ScheduleRun>(runSchedule({.plan = question.plan, .patch = {}}));
    run.problem = run.schedule->problem;
    if (run.schedule->pipeline == nullptr)
        return run;
    const PlanPipeline &pipeline = *run.schedule->pipeline;
    run.peakRank = static_cast<int>(run.schedule->peakRank());
    run.rank = std::clamp(question.rank.value_or(run.peakRank), 0, static_cast<int>(pipeline.order.ranks) - 1);
    try {
        run.trace = std::make_shared<const MemoryTrace>(step_memory(run.plan, pipeline, run.rank));
        run.timeline = rankTimelineOf(pipeline, run.rank, optimizerOf(run.trace->memory()));
        if (known)
            run.measured = before->measured;
        else if (std::optional<MemoryProfile> profile = measured_memory_profile(run.plan, library))
            run.measured = measuredTrace(std::move(*profile));
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        run.problem = QString::fromStdString(first.message.text + "; " + first.expected.text);
    } catch (const FileError &error) {
        run.problem = QString::fromUtf8(error.what());
    }
    return run;
}

} // namespace meshwright
