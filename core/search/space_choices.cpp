// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/valid_values.h"
#include "search/space.h"

#include <algorithm>

namespace meshwright {

namespace {

constexpr std::int64_t max_slices = 16; ///< maximum slices per sequence with Seq1F1B

/// A plan with only the fields that the schedules' rules use.
Plan probe_of(std::int64_t pipeline, std::int64_t microbatches) {
    Plan probe;
    probe.parallelism.pipeline = pipeline;
    probe.parallelism.data = 1;
    probe.batch.micro_sequences = 1;
    probe.batch.global_sequences = microbatches;
    return probe;
}

bool runs(Plan &probe, Schedule schedule, std::int64_t chunks, std::int64_t group = 0) {
    probe.parallelism.schedule = schedule;
    probe.parallelism.chunks = chunks;
    probe.parallelism.group = group > 0 ? std::optional(group) : std::nullopt;
    return schedule_problems(probe).empty();
}

LayerSplit split_of_choice(const Plan &plan, std::int64_t pipeline, const ScheduleChoice &choice) {
    const std::int64_t stages = pipeline * (definition_of(choice.schedule).cuts_sequences ? 1 : choice.chunks);
    if (choice.balance == Balance::even)
        return split_of(plan.stack, plan.model.layer_count(), stages);
    Plan spread = plan;
    apply(configuration_of(KernelShape{}, pipeline, 1, choice, {}, RecomputeMode::none), spread);
    return split_of(stage_layers(spread));
}

} // namespace

const ScheduleChoices &ConfigurationSpace::schedules(const Plan &plan, std::int64_t pipeline,
                                                     std::int64_t microbatches) {
    std::unique_ptr<const ScheduleChoices> &choices = m_schedules[{pipeline, microbatches}];
    if (!choices)
        choices = std::make_unique<const ScheduleChoices>(make_schedules(plan, pipeline, microbatches));
    return *choices;
}

ScheduleChoices ConfigurationSpace::make_schedules(const Plan &plan, std::int64_t pipeline, std::int64_t microbatches) {
    ScheduleChoices choices;
    Plan probe = probe_of(pipeline, microbatches);
    const std::int64_t layers = plan.model.layer_count();
    const auto add = [&](Schedule schedule, std::int64_t chunks, std::int64_t group = 0) {
        const std::int64_t stages = pipeline * (definition_of(schedule).cuts_sequences ? 1 : chunks);
        if (!admits(ConfigurationField::chunks, chunks) || stages > layers
            || (chunks > 2 && !has_room(max_shared_bytes)))
            return;
        const bool balances = m_constraints.searches(SearchOption::layout) && stages > 2 && layers % stages != 0;
        for (const Balance balance : {Balance::even, Balance::light_last, Balance::light_ends}) {
            if ((balance != Balance::even && !balances)
                || !runs_split(
                    m_can_run,
                    split_of_choice(plan, pipeline, {.schedule = schedule, .chunks = chunks, .balance = balance})))
                continue;
            choices.push_back({.schedule = schedule, .chunks = chunks, .group = group, .balance = balance});
            choices.back().runs = &stage_runs(plan, pipeline, choices.back());
            m_listed_bytes += sizeof(ScheduleChoice);
        }
        m_two_directions = m_two_directions || definition_of(schedule).pairs_passes;
    };
    for (const Schedule schedule : all_schedules()) {
        const ScheduleDefinition &definition = definition_of(schedule);
        if (!admits(ConfigurationField::schedule, static_cast<std::int64_t>(schedule))
            || !runs_schedule(m_can_run, schedule, pipeline) || (pipeline == 1 && schedule != Schedule::one_f_one_b))
            continue;
        // The rules distinguish only one, two and more chunks.
        if (definition.chunks == ChunkCount::one && runs(probe, schedule, 1))
            add(schedule, 1);
        if (definition.chunks == ChunkCount::one || !runs(probe, schedule, 2))
            continue;
        const bool any = definition.chunks == ChunkCount::any && runs(probe, schedule, 3);
        const bool slices = definition.cuts_sequences;
        const auto takes = [&](std::int64_t group) {
            return !definition.takes_groups || runs_group(m_can_run, pipeline, microbatches, group);
        };
        const std::int64_t most = !any ? 2 : slices ? max_slices : layers / pipeline;
        for (std::int64_t chunks = 2; chunks <= most && takes(interleaving_group(pipeline, microbatches)); ++chunks)
            if (!slices || plan.batch.sequence_length % chunks == 0)
                add(schedule, chunks);
        if (!any || !m_constraints.searches(SearchOption::group) || !definition.searches_groups)
            continue;
        for (const std::int64_t group : divisors(microbatches))
            if (group > pipeline && runs(probe, schedule, 2, group) && takes(group))
                for (std::int64_t chunks = 2; chunks <= most; ++chunks)
                    add(schedule, chunks, group);
    }
    return choices;
}

const StageRuns &ConfigurationSpace::stage_runs(const Plan &plan, std::int64_t pipeline, const ScheduleChoice &choice) {
    const ScheduleDefinition &definition = definition_of(choice.schedule);
    const std::int64_t chunks = definition.cuts_sequences ? 1 : choice.chunks;
    std::vector<std::unique_ptr<const StageRuns>> &of_as_many = m_runs_of_ranks[pipeline];
    const StageRuns *&known = m_runs[{pipeline, chunks, definition.placement, choice.balance}];
    if (known == nullptr) {
        Plan one = plan;
        apply(configuration_of(KernelShape{}, pipeline, 1, choice, {}, RecomputeMode::none), one);
        auto runs = std::make_unique<StageRuns>(meshwright::stage_runs(one));
        runs->index = of_as_many.size();
        const auto alike = std::find_if(of_as_many.begin(), of_as_many.end(),
                                        [&](const auto &other) { return hold_as_much(*other, *runs); });
        runs->kinds = alike != of_as_many.end() ? (*alike)->index : runs->index;
        known = runs.get();
        m_listed_bytes += known->bytes();
        of_as_many.push_back(std::move(runs));
    }
    return *known;
}

const Shardings &ConfigurationSpace::shardings(const ShardingCase &given) {
    std::unique_ptr<const Shardings> &found =
        m_shardings[{given.ranks, given.with_pipeline, given.with_others, given.needs_sharded_states}];
    if (found)
        return *found;
    Shardings all;
    for (std::int64_t stage = 0; stage <= 3; ++stage) {
        if (!admits(ConfigurationField::zero_stage, stage) || !runs_zero_stage(m_can_run, given, stage))
            continue;
        all.emplace_back(stage, 0);
        if (stage == 0 || !m_constraints.searches(SearchOption::shard_group))
            continue;
        for (const std::int64_t group : divisors(given.ranks))
            if (group > 1 && group < given.ranks && runs_shard_group(m_can_run, given.ranks, stage, group))
                all.emplace_back(stage, group);
    }
    found = std::make_unique<const Shardings>(std::move(all));
    return *found;
}

} // namespace meshwright
