// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/field_reader.h"
#include "plan/valid_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

using Problems = std::vector<ScheduleProblem>;

std::string patch(const char *object, const char *key, std::int64_t value) {
    return fmt::format(R"({{"{}":{{"{}":{}}}}})", object, key, value);
}

/// Changing the number of chunks changes the number of virtual stages, so an existing pipeline layout is removed.
std::string chunk_patch(const Plan &plan, std::int64_t chunks) {
    return plan.parallelism.layout.empty() ? patch("parallelism", "chunks", chunks)
                                           : fmt::format(R"({{"parallelism":{{"chunks":{},"layout":null}}}})", chunks);
}

void check_chunks(const Plan &plan, Problems &problems) {
    const Parallelism &parallelism = plan.parallelism;
    const ChunkCount rule = definition_of(parallelism.schedule).chunks;
    const std::int64_t wanted = rule == ChunkCount::two ? 2 : 1;
    if (rule == ChunkCount::any || parallelism.chunks == wanted)
        return;
    ScheduleProblem problem{.code = "chunks",
                            .message =
                                fmt::format("the schedule {} has {} per rank, not {}", name_of(parallelism.schedule),
                                            wanted == 1 ? "one chunk" : "two chunks", parallelism.chunks),
                            .expected = fmt::format("expected chunks {}", wanted),
                            .fields = {"/parallelism/chunks", "/parallelism/schedule"},
                            .fixes = {{fmt::format("chunks {}", wanted), chunk_patch(plan, wanted)}}};
    if (parallelism.chunks > 1)
        problem.fixes.emplace_back("interleaved", R"({"parallelism":{"schedule":"interleaved"}})");
    problems.push_back(std::move(problem));
}

/// Switches to 1F1B, which runs with any number of stages and microbatches. A pipeline layout for chunks is removed.
std::string plain_schedule(const Plan &plan) {
    return plan.parallelism.chunks > 1 && !plan.parallelism.layout.empty()
        ? R"({"parallelism":{"schedule":"1f1b","chunks":1,"layout":null}})"
        : R"({"parallelism":{"schedule":"1f1b","chunks":1}})";
}

/// Reports a number of microbatches that the schedule cannot run with. The fix sets a batch size that gives `usable`
/// microbatches.
void refuse_microbatches(const Plan &plan, std::string what, std::int64_t usable, Problems &problems) {
    const double sequences = static_cast<double>(usable) * static_cast<double>(plan.parallelism.data)
        * static_cast<double>(plan.batch.micro_sequences);
    std::vector<std::pair<std::string, std::string>> fixes;
    if (sequences <= static_cast<double>(largest_count))
        fixes.emplace_back(fmt::format("{:.0f} sequences", sequences),
                           patch("batch", "global_sequences", static_cast<std::int64_t>(sequences)));
    fixes.emplace_back("1F1B", plain_schedule(plan));
    problems.push_back(
        {.code = "schedule-microbatches",
         .message = fmt::format("the schedule {} with {} stages cannot run {} microbatches",
                                name_of(plan.parallelism.schedule), plan.parallelism.pipeline, plan.microbatches()),
         .expected = std::move(what),
         .fields = {"/batch/global_sequences", "/parallelism/schedule", "/parallelism/pipeline"},
         .fixes = std::move(fixes)});
}

void check_minimum(const Plan &plan, std::int64_t least, Problems &problems) {
    if (plan.microbatches() < least)
        refuse_microbatches(plan, fmt::format("expected at least {}", least), least, problems);
}

/// Groups have at least as many microbatches as there are stages (Megatron-Core's bounds p <= g <= m; a smaller last
/// group would deadlock). If the plan gives no group size, interleaving_group() finds one for any m >= p.
void check_groups(const Plan &plan, Problems &problems) {
    const std::int64_t stages = plan.parallelism.pipeline;
    const std::int64_t microbatches = plan.microbatches();
    const std::int64_t group = interleaving_group(plan);
    if (group < stages || group > microbatches) {
        if (plan.parallelism.group && stages <= microbatches)
            problems.push_back(
                {.code = "group",
                 .message = fmt::format("an interleaving group of {} microbatches is out of range", group),
                 .expected = fmt::format("expected {} to {}", stages, microbatches),
                 .fields = {"/parallelism/group"},
                 .fixes = {{fmt::format("group {}", stages), patch("parallelism", "group", stages)}}});
        else
            check_minimum(plan, std::max(stages, group), problems);
        return;
    }
    const std::int64_t last = microbatches % group;
    if (last != 0 && last < stages)
        refuse_microbatches(plan, fmt::format("expected a multiple of {}", group),
                            microbatches / group * group + (microbatches < group ? group : 0), problems);
}

void check_two_directions(const Plan &plan, Problems &problems) {
    const std::int64_t stages = plan.parallelism.pipeline;
    if (stages % 2 != 0) {
        problems.push_back({.code = "odd-stages",
                            .message = fmt::format("the schedule {} runs in both directions and cannot use {} stages",
                                                   name_of(plan.parallelism.schedule), stages),
                            .expected = "expected an even number of stages",
                            .fields = {"/parallelism/pipeline", "/parallelism/schedule"},
                            .fixes = {{"1F1B", plain_schedule(plan)}}});
        return;
    }
    if (plan.microbatches() % 2 != 0)
        refuse_microbatches(plan, "expected an even number", plan.microbatches() + 1, problems);
}

} // namespace

std::int64_t interleaving_group(const Plan &plan) {
    return plan.parallelism.group
        ? *plan.parallelism.group
        : interleaving_group(std::max<std::int64_t>(1, plan.parallelism.pipeline), plan.microbatches());
}

std::int64_t interleaving_group(std::int64_t stages, std::int64_t microbatches) {
    std::int64_t group = stages;
    if (microbatches >= stages)
        while (microbatches % group != 0 && microbatches % group < stages)
            ++group;
    return group;
}

std::vector<ScheduleProblem> schedule_problems(const Plan &plan) {
    Problems problems;
    const std::int64_t stages = plan.parallelism.pipeline;
    check_chunks(plan, problems);
    if (plan.microbatches() < 1 || stages == 1)
        return problems;
    const ScheduleDefinition &definition = definition_of(plan.parallelism.schedule);
    if (definition.takes_groups && plan.parallelism.chunks > 1)
        check_groups(plan, problems);
    if (definition.placement == StagePlacement::both_ways)
        check_two_directions(plan, problems);
    if (definition.min_microbatches != nullptr)
        check_minimum(plan, definition.min_microbatches(stages), problems);
    return problems;
}

} // namespace meshwright
