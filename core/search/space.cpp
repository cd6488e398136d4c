// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/space.h"

#include "plan/valid_values.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <set>

namespace meshwright {

namespace {

constexpr std::int64_t most_stages = 10'000;
constexpr std::int64_t most_slices = 16; ///< of a sequence, for seq1f1b

bool divides_widths(const Model &model, std::int64_t tensor) {
    return std::all_of(model.blocks.begin(), model.blocks.end(),
                       [&](const Block &block) { return tensor_problem(model, block, tensor).empty(); });
}

/// A plan of which only what a schedule's rules read is filled in.
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

} // namespace

Layout layout_of(const Stem &stem, std::int64_t pipeline, std::int64_t data, const ScheduleChoice &choice,
                 std::pair<std::int64_t, std::int64_t> sharding, RecomputeMode recompute) {
    return {.tensor = stem.tensor,
            .context = stem.context,
            .pipeline = pipeline,
            .chunks = choice.chunks,
            .expert = stem.expert,
            .expert_tensor = stem.expert_tensor,
            .data = data,
            .micro_sequences = stem.micro_sequences,
            .zero_stage = sharding.first,
            .shard_group = sharding.second,
            .group = choice.group,
            .schedule = choice.schedule,
            .recompute = recompute,
            .sequence_parallel = stem.sequence_parallel,
            .balance = choice.balance};
}

LayoutSpace::LayoutSpace(const Plan &plan, const Constraints &constraints, std::vector<Plan> variants, Shard shard)
    : m_present(layout_of(plan))
    , m_constraints(constraints)
    , m_variants(std::move(variants)) {
    for (const RecomputeMode mode :
         {RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full, RecomputeMode::layers})
        if (admits(LayoutField::recompute, static_cast<std::int64_t>(mode)))
            m_recomputes.push_back(mode);
    const bool fixed = m_constraints.fixed[static_cast<std::size_t>(LayoutField::recompute)];
    if (fixed && plan.recompute.mode == RecomputeMode::modules)
        m_recomputes.push_back(RecomputeMode::modules);
    if (fixed && plan.recompute.mode == RecomputeMode::layers)
        m_fixed_layers = plan.recompute.layers;
    for (std::size_t i = 0; i < m_variants.size(); ++i)
        add_variant(static_cast<std::int32_t>(i));
    m_holds_present = finds(plan);
    keep_shard(shard);
}

bool LayoutSpace::admits(LayoutField field, std::int64_t value) const {
    return m_constraints.admits(field, value, value_of(m_present, field));
}

std::vector<std::int64_t> LayoutSpace::admitted(LayoutField field, std::vector<std::int64_t> values) const {
    std::erase_if(values, [&](std::int64_t value) { return !admits(field, value); });
    return values;
}

void LayoutSpace::add_variant(std::int32_t index) {
    const Plan &plan = m_variants[static_cast<std::size_t>(index)];
    const std::vector<std::int64_t> all = divisors(plan.site_accelerators());
    const std::int64_t widest =
        m_constraints.tensor_within_node ? plan.cluster.accelerators_per_node : plan.site_accelerators();
    std::vector<std::int64_t> tensors = admitted(LayoutField::tensor, all);
    std::erase_if(tensors, [&](std::int64_t t) { return t > widest || !divides_widths(plan.model, t); });
    std::vector<std::int64_t> pipelines = admitted(LayoutField::pipeline, all);
    std::erase_if(pipelines, [&](std::int64_t p) { return p > std::min(plan.model.layer_count(), most_stages); });
    const std::vector<std::int64_t> micros =
        admitted(LayoutField::micro_sequences, divisors(plan.batch.global_sequences));
    const std::vector<std::int64_t> contexts = admitted(LayoutField::context, all);
    const std::vector<std::pair<std::int64_t, std::int64_t>> experts = expert_degrees(plan);
    for (const std::int64_t tensor : tensors)
        for (const bool sequence : {false, true}) {
            if ((sequence && tensor == 1) || !admits(LayoutField::sequence_parallel, sequence ? 1 : 0))
                continue;
            for (const std::int64_t context : contexts) {
                const std::int64_t ways = context * (sequence ? tensor : 1);
                if (plan.site_accelerators() % (tensor * context) != 0 || plan.batch.sequence_length % ways != 0)
                    continue;
                for (const std::int64_t micro : micros) {
                    Stem stem{.variant = index,
                              .tensor = tensor,
                              .context = context,
                              .micro_sequences = micro,
                              .sequence_parallel = sequence};
                    const std::vector<StemUnit> units = units_of(stem, pipelines);
                    for (const auto &[expert, expert_tensor] : experts) {
                        stem.expert = expert;
                        stem.expert_tensor = expert_tensor;
                        add_stem(stem, units);
                    }
                }
            }
        }
}

std::vector<std::pair<std::int64_t, std::int64_t>> LayoutSpace::expert_degrees(const Plan &plan) const {
    const std::int64_t experts = routed_experts(plan.model);
    std::vector<std::pair<std::int64_t, std::int64_t>> degrees;
    if (experts == 0) {
        if (admits(LayoutField::expert, 1) && admits(LayoutField::expert_tensor, 1))
            degrees.emplace_back(1, 1);
        return degrees;
    }
    const auto index = static_cast<std::size_t>(LayoutField::expert_tensor);
    const bool listed = !m_constraints.allowed[index].empty() && !m_constraints.fixed[index];
    std::vector<std::int64_t> cuts = admitted(LayoutField::expert_tensor, divisors(expert_width(plan.model)));
    if (!listed)
        std::erase_if(cuts, [&](std::int64_t cut) { return cut != 1 && cut != m_present.expert_tensor; });
    for (const std::int64_t expert : admitted(LayoutField::expert, divisors(experts)))
        for (const std::int64_t cut : cuts)
            degrees.emplace_back(expert, cut);
    return degrees;
}

/// Over however many ranks its experts are spread.
std::vector<StemUnit> LayoutSpace::units_of(const Stem &stem, const std::vector<std::int64_t> &pipelines) {
    const Plan &plan = m_variants[static_cast<std::size_t>(stem.variant)];
    const std::int64_t stages_and_data = plan.site_accelerators() / (stem.tensor * stem.context);
    std::vector<StemUnit> units;
    for (const std::int64_t pipeline : pipelines) {
        const std::int64_t data = stages_and_data / pipeline;
        if (stages_and_data % pipeline != 0 || !admits(LayoutField::data, data)
            || plan.batch.global_sequences % (data * stem.micro_sequences) != 0)
            continue;
        StemUnit unit{.pipeline = pipeline, .data = data};
        unit.schedules = &schedules(plan, pipeline, plan.batch.global_sequences / (data * stem.micro_sequences));
        unit.shardings = &shardings(data * stem.context);
        unit.layouts = static_cast<std::int64_t>(unit.schedules->size() * unit.shardings->size() * m_recomputes.size());
        if (unit.layouts > 0)
            units.push_back(unit);
    }
    return units;
}

void LayoutSpace::add_stem(const Stem &stem, const std::vector<StemUnit> &units) {
    const std::size_t before = m_units.size();
    for (const StemUnit &unit : units)
        if ((stem.tensor * stem.context * unit.data) % (stem.expert * stem.expert_tensor) == 0) {
            m_units.push_back(unit);
            m_units.back().stem = static_cast<std::uint32_t>(m_stems.size());
        }
    if (m_units.size() > before)
        m_stems.push_back(stem);
}

const ScheduleChoices &LayoutSpace::schedules(const Plan &plan, std::int64_t pipeline, std::int64_t microbatches) {
    std::unique_ptr<const ScheduleChoices> &choices = m_schedules[{pipeline, microbatches}];
    if (!choices)
        choices = std::make_unique<const ScheduleChoices>(make_schedules(plan, pipeline, microbatches));
    return *choices;
}

ScheduleChoices LayoutSpace::make_schedules(const Plan &plan, std::int64_t pipeline, std::int64_t microbatches) {
    ScheduleChoices choices;
    Plan probe = probe_of(pipeline, microbatches);
    const std::int64_t layers = plan.model.layer_count();
    const auto add = [&](Schedule schedule, std::int64_t chunks, std::int64_t group = 0) {
        const std::int64_t stages = pipeline * (definition_of(schedule).cuts_sequences ? 1 : chunks);
        if (!admits(LayoutField::chunks, chunks) || stages > layers)
            return;
        const bool balances = m_constraints.searches(SearchOption::layout) && stages > 2 && layers % stages != 0;
        for (const Balance balance : {Balance::even, Balance::light_last, Balance::light_ends}) {
            if (balance != Balance::even && !balances)
                continue;
            choices.push_back({.schedule = schedule, .chunks = chunks, .group = group, .balance = balance});
            choices.back().runs = &stage_runs(plan, pipeline, choices.back());
        }
        m_two_directions = m_two_directions || definition_of(schedule).pairs_passes;
    };
    for (const Schedule schedule : all_schedules()) {
        const ScheduleDefinition &definition = definition_of(schedule);
        if (!admits(LayoutField::schedule, static_cast<std::int64_t>(schedule))
            || (pipeline == 1 && schedule != Schedule::one_f_one_b))
            continue;
        // The rules ask of chunks only whether there are one, two or more.
        if (definition.chunks != ChunkCount::any && runs(probe, schedule, 1))
            add(schedule, 1);
        if (!runs(probe, schedule, 2))
            continue;
        const bool any = runs(probe, schedule, 3);
        const bool slices = definition.cuts_sequences;
        const std::int64_t most = !any ? 2 : slices ? most_slices : layers / pipeline;
        for (std::int64_t chunks = 2; chunks <= most; ++chunks)
            if (!slices || plan.batch.sequence_length % chunks == 0)
                add(schedule, chunks);
        if (!any || !m_constraints.searches(SearchOption::group) || !definition.searches_groups)
            continue;
        for (const std::int64_t group : divisors(microbatches))
            if (group > pipeline && runs(probe, schedule, 2, group))
                for (std::int64_t chunks = 2; chunks <= most; ++chunks)
                    add(schedule, chunks, group);
    }
    return choices;
}

const StageRuns &LayoutSpace::stage_runs(const Plan &plan, std::int64_t pipeline, const ScheduleChoice &choice) {
    const ScheduleDefinition &definition = definition_of(choice.schedule);
    const std::int64_t chunks = definition.cuts_sequences ? 1 : choice.chunks;
    const auto of_as_many = std::count_if(m_runs.begin(), m_runs.end(),
                                          [&](const auto &known) { return std::get<0>(known.first) == pipeline; });
    std::unique_ptr<StageRuns> &runs = m_runs[{pipeline, chunks, definition.placement, choice.balance}];
    if (!runs) {
        Plan one = plan;
        apply(layout_of(Stem{}, pipeline, 1, choice, {}, RecomputeMode::none), one);
        runs = std::make_unique<StageRuns>(meshwright::stage_runs(one));
        runs->index = static_cast<std::size_t>(of_as_many);
    }
    return *runs;
}

const Shardings &LayoutSpace::shardings(std::int64_t ranks) {
    std::unique_ptr<const Shardings> &found = m_shardings[ranks];
    if (found)
        return *found;
    Shardings all;
    for (std::int64_t stage = 0; stage <= 3; ++stage) {
        if (!admits(LayoutField::zero_stage, stage))
            continue;
        all.emplace_back(stage, 0);
        if (stage == 0 || !m_constraints.searches(SearchOption::shard_group))
            continue;
        for (const std::int64_t group : divisors(ranks))
            if (group > 1 && group < ranks)
                all.emplace_back(stage, group);
    }
    found = std::make_unique<const Shardings>(std::move(all));
    return *found;
}

/// Largest first, each to the shard that has least so far: shards differ by one unit at most.
void LayoutSpace::keep_shard(Shard shard) {
    if (shard.count <= 1)
        return;
    std::vector<std::size_t> order(m_units.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return m_units[a].layouts > m_units[b].layouts; });
    using Load = std::pair<std::int64_t, std::int64_t>; // layouts, shard
    std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
    for (std::int64_t i = 0; i < shard.count; ++i)
        loads.emplace(0, i);
    std::vector<bool> kept(m_units.size());
    for (const std::size_t unit : order) {
        const auto [layouts, index] = loads.top();
        loads.pop();
        loads.emplace(layouts + m_units[unit].layouts, index);
        kept[unit] = index == shard.index;
    }
    std::size_t at = 0;
    std::erase_if(m_units, [&](const StemUnit &) { return !kept[at++]; });
}

std::int64_t LayoutSpace::layouts() const {
    return std::accumulate(m_units.begin(), m_units.end(), std::int64_t{0},
                           [](std::int64_t sum, const StemUnit &unit) { return sum + unit.layouts; });
}

FieldValues LayoutSpace::values() const {
    FieldValues values; // few of each
    std::set<const void *> seen; // lists that many units share
    const auto put = [&](LayoutField field, std::int64_t value) {
        std::vector<std::int64_t> &all = values[static_cast<std::size_t>(field)];
        const auto place = std::lower_bound(all.begin(), all.end(), value);
        if (place == all.end() || *place != value)
            all.insert(place, value);
    };
    std::size_t stem_seen = m_stems.size();
    for (const StemUnit &unit : m_units) {
        if (unit.stem != stem_seen) {
            const Stem &stem = m_stems[unit.stem];
            put(LayoutField::tensor, stem.tensor);
            put(LayoutField::context, stem.context);
            put(LayoutField::expert, stem.expert);
            put(LayoutField::expert_tensor, stem.expert_tensor);
            put(LayoutField::micro_sequences, stem.micro_sequences);
            put(LayoutField::sequence_parallel, stem.sequence_parallel ? 1 : 0);
            stem_seen = unit.stem;
        }
        put(LayoutField::pipeline, unit.pipeline);
        put(LayoutField::data, unit.data);
        if (seen.insert(unit.schedules).second)
            for (const ScheduleChoice &choice : *unit.schedules) {
                put(LayoutField::chunks, choice.chunks);
                put(LayoutField::schedule, static_cast<std::int64_t>(choice.schedule));
            }
        if (seen.insert(unit.shardings).second)
            for (const auto &[stage, group] : *unit.shardings)
                put(LayoutField::zero_stage, stage);
    }
    for (const RecomputeMode mode : m_recomputes)
        put(LayoutField::recompute, static_cast<std::int64_t>(mode));
    return values;
}

bool LayoutSpace::finds(const Plan &plan) const {
    const Layout layout = layout_of(plan);
    if (!plan.parallelism.layout.empty() || !plan.recompute.modules.empty()
        || (layout.recompute == RecomputeMode::layers && !m_fixed_layers)
        || (layout.recompute != RecomputeMode::layers && plan.recompute.layers != 0)
        || std::find(m_recomputes.begin(), m_recomputes.end(), layout.recompute) == m_recomputes.end())
        return false;
    return std::any_of(m_units.begin(), m_units.end(), [&](const StemUnit &unit) {
        const Stem &stem = m_stems[unit.stem];
        return stem.variant == 0 && stem.tensor == layout.tensor && stem.context == layout.context
            && stem.expert == layout.expert && stem.expert_tensor == layout.expert_tensor
            && stem.micro_sequences == layout.micro_sequences && stem.sequence_parallel == layout.sequence_parallel
            && unit.pipeline == layout.pipeline && unit.data == layout.data
            && std::find(unit.shardings->begin(), unit.shardings->end(),
                         std::pair(layout.zero_stage, layout.shard_group))
            != unit.shardings->end()
            && std::any_of(unit.schedules->begin(), unit.schedules->end(), [&](const ScheduleChoice &choice) {
                   return choice.schedule == layout.schedule && choice.chunks == layout.chunks
                       && choice.group == layout.group && choice.balance == Balance::even;
               });
    });
}

} // namespace meshwright
