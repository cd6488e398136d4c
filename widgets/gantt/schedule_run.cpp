// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/schedule_run.h"

#include "input/diagnostic.h"
#include "plan/plan_json.h"
#include "plan/valid_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace meshwright {
namespace {

QString sentence(const Diagnostic &diagnostic) {
    QString text = QString::fromStdString(diagnostic.message.text);
    if (!diagnostic.expected.text.empty())
        text += QStringLiteral("; ") + QString::fromStdString(diagnostic.expected.text);
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

/// Chunks per rank for the plan's schedule: the number that the schedule requires, or else the plan's number.
std::int64_t chunksFor(const Plan &plan) {
    const ChunkCount chunks = definition_of(plan.parallelism.schedule).chunks;
    if (chunks == ChunkCount::any)
        return std::max<std::int64_t>(2, plan.parallelism.chunks);
    return chunks == ChunkCount::two ? 2 : 1;
}

} // namespace

std::size_t ScheduleRun::peakRank() const {
    const std::vector<double> &bytes = pipeline->timeline.peak_bytes;
    return static_cast<std::size_t>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
}

double ScheduleRun::peakBytes() const {
    const std::vector<double> &bytes = pipeline->timeline.peak_bytes;
    return bytes.empty() ? 0 : *std::max_element(bytes.begin(), bytes.end());
}

bool ScheduleRun::fits() const {
    // The whole step is covered, not just the pipeline, because some ranks peak during the optimizer step.
    return std::all_of(pipeline->memory.begin(), pipeline->memory.end(), [this](const RankMemory &rank) {
        return rank.stage_total_bytes() <= plan.cluster.accelerator.memory_bytes;
    });
}

ScheduleVariant variantOf(const Plan &plan, Schedule schedule) {
    ScheduleVariant variant{.plan = plan, .patch = {}};
    Parallelism &parallelism = variant.plan.parallelism;
    if (parallelism.schedule == schedule)
        return variant;
    nlohmann::ordered_json fields{{"schedule", name_of(schedule)}};
    const std::int64_t stagesBefore = plan.virtual_stages();
    parallelism.schedule = schedule;
    if (const std::int64_t chunks = chunksFor(variant.plan); chunks != parallelism.chunks) {
        parallelism.chunks = chunks;
        fields["chunks"] = chunks;
    }
    if (!parallelism.layout.empty() && variant.plan.virtual_stages() != stagesBefore) {
        parallelism.layout.clear();
        parallelism.layout_text.clear();
        fields["layout"] = nullptr;
    }
    variant.patch = nlohmann::ordered_json{{"parallelism", fields}}.dump();
    return variant;
}

ScheduleRun runSchedule(const ScheduleVariant &variant) {
    ScheduleRun run{.plan = variant.plan, .patch = variant.patch};
    const auto start = std::chrono::steady_clock::now();
    try {
        for (const Diagnostic &diagnostic : check_plan(run.plan))
            if (diagnostic.severity == Severity::error) {
                run.problem = sentence(diagnostic);
                return run;
            }
        run.pipeline = std::make_shared<const PlanPipeline>(simulate_pipeline(run.plan));
    } catch (const InputError &error) {
        run.problem = sentence(error.diagnostics().front());
    }
    run.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return run;
}

} // namespace meshwright
