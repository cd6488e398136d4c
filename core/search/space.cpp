// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/space.h"

#include "plan/valid_values.h"
#include "threads/for_each_index.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace meshwright {

namespace {

constexpr std::int64_t max_stages = 10'000;
constexpr std::size_t traversed_family_bytes = 80; ///< bytes that a search needs per family

bool divides_widths(const Model &model, std::int64_t tensor) {
    return std::all_of(model.blocks.begin(), model.blocks.end(),
                       [&](const Block &block) { return tensor_problem(model, block, tensor).empty(); });
}

} // namespace

Configuration configuration_of(const KernelShape &kernel_shape, std::int64_t pipeline, std::int64_t data,
                               const ScheduleChoice &choice, std::pair<std::int64_t, std::int64_t> sharding,
                               RecomputeMode recompute) {
    return {.tensor = kernel_shape.tensor,
            .context = kernel_shape.context,
            .pipeline = pipeline,
            .chunks = choice.chunks,
            .expert = kernel_shape.expert,
            .expert_tensor = kernel_shape.expert_tensor,
            .data = data,
            .micro_sequences = kernel_shape.micro_sequences,
            .zero_stage = sharding.first,
            .shard_group = sharding.second,
            .group = choice.group,
            .schedule = choice.schedule,
            .recompute = recompute,
            .sequence_parallel = kernel_shape.sequence_parallel,
            .balance = choice.balance};
}

ConfigurationSpace::ConfigurationSpace(const Plan &plan, const Constraints &constraints, std::vector<Plan> variants,
                                       Shard shard, std::stop_token stop)
    : m_present(configuration_of(plan))
    , m_constraints(constraints)
    , m_variants(std::move(variants))
    , m_stop(std::move(stop))
    , m_shard(shard)
    , m_end_variant(m_variants.size()) {
    if (!m_constraints.any_software && !plan.stack.can_run.anything)
        m_can_run = plan.stack.can_run;
    m_experts_with_context = m_can_run.expert_with_context.value_or(true);
    for (const RecomputeMode mode :
         {RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full, RecomputeMode::layers})
        if (admits(ConfigurationField::recompute, static_cast<std::int64_t>(mode)) && runs_recompute(m_can_run, mode))
            m_recomputes.push_back(mode);
    const bool fixed = m_constraints.fixed[static_cast<std::size_t>(ConfigurationField::recompute)];
    if (fixed && plan.recompute.mode == RecomputeMode::modules && runs_recompute(m_can_run, plan.recompute.mode)
        && runs_modules(m_can_run, plan.recompute.modules))
        m_recomputes.push_back(RecomputeMode::modules);
    if (fixed && plan.recompute.mode == RecomputeMode::layers)
        m_fixed_layers = plan.recompute.layers;
    list_expert_degrees(m_variants.front());
    list_variants();
    m_holds_present = finds(plan);
    finish_part();
    std::size_t parts = 1;
    do {
        if (parts++ == max_parts && m_next_variant < m_variants.size()) {
            m_end_variant = m_next_variant;
            m_is_whole = false;
        }
        m_layouts += std::accumulate(m_families.begin(), m_families.end(), std::int64_t{0},
                                     [](std::int64_t sum, const ShapeFamily &family) { return sum + family.layouts; });
    } while (list_next());
    list_first();
}

FieldValues ConfigurationSpace::values() {
    FieldValues values;
    m_valued.clear();
    list_first();
    do
        add_values(values);
    while (list_next());
    list_first();
    return values;
}

void ConfigurationSpace::list_first() {
    if (m_first_variant == 0)
        return;
    m_next_variant = 0;
    m_loads.clear();
    list_variants();
    finish_part();
}

bool ConfigurationSpace::list_next() {
    if (m_next_variant == m_end_variant)
        return false;
    if (m_stop.stop_requested()) {
        m_is_whole = false;
        return false;
    }
    list_variants();
    finish_part();
    return true;
}

/// Lists the next variants, as many as fit into one part of the space.
void ConfigurationSpace::list_variants() {
    m_families.clear();
    m_kept.clear();
    m_units_of_families = 0;
    m_family_bytes = 0;
    m_first_variant = m_next_variant;
    while (m_next_variant < m_end_variant && m_family_bytes < max_part_bytes)
        add_variant(static_cast<std::int32_t>(m_next_variant++));
}

void ConfigurationSpace::finish_part() {
    keep_shard();
    for_each_index(m_families.size(), [this](std::size_t i) { count(m_families[i]); });
    std::erase_if(m_families, [](const ShapeFamily &family) { return family.kernel_shapes == 0; });
}

bool ConfigurationSpace::ends_here() {
    const bool ends = m_family_bytes >= max_family_bytes || m_stop.stop_requested();
    m_is_whole = m_is_whole && !ends;
    return ends;
}

bool ConfigurationSpace::has_room(std::size_t most) {
    const bool has = m_listed_bytes < most && !m_stop.stop_requested();
    m_is_whole = m_is_whole && has;
    return has;
}

bool ConfigurationSpace::admits(ConfigurationField field, std::int64_t value) const {
    return m_constraints.admits(field, value, value_of(m_present, field));
}

std::vector<std::int64_t> ConfigurationSpace::admitted(ConfigurationField field,
                                                       std::vector<std::int64_t> values) const {
    std::erase_if(values, [&](std::int64_t value) { return !admits(field, value); });
    return values;
}

void ConfigurationSpace::add_variant(std::int32_t index) {
    const Plan &plan = m_variants[static_cast<std::size_t>(index)];
    const std::vector<std::int64_t> all = divisors(plan.site_accelerators());
    const std::int64_t widest =
        m_constraints.tensor_within_node ? plan.cluster.accelerators_per_node : plan.site_accelerators();
    std::vector<std::int64_t> tensors = admitted(ConfigurationField::tensor, all);
    const std::int64_t kv_heads = min_kv_heads(plan.model);
    std::erase_if(tensors, [&](std::int64_t t) {
        return t > widest || !divides_widths(plan.model, t) || !runs_kv_heads(m_can_run, t, kv_heads);
    });
    std::vector<std::int64_t> pipelines = admitted(ConfigurationField::pipeline, all);
    std::erase_if(pipelines, [&](std::int64_t p) { return p > std::min(plan.model.layer_count(), max_stages); });
    const std::vector<std::int64_t> micros =
        admitted(ConfigurationField::micro_sequences, divisors(plan.batch.global_sequences));
    const std::vector<std::int64_t> contexts = admitted(ConfigurationField::context, all);
    for (const std::int64_t tensor : tensors)
        for (const std::int64_t context : contexts) {
            if (plan.site_accelerators() % (tensor * context) != 0 || plan.batch.sequence_length % context != 0
                || !runs_context(m_can_run, context, plan.batch.sequence_length)
                || !runs_context_with(m_can_run, context, tensor, 1))
                continue;
            for (const std::int64_t micro : micros) {
                if (ends_here())
                    return;
                const KernelShape kernel_shape{
                    .variant = index, .tensor = tensor, .context = context, .micro_sequences = micro};
                add_families(kernel_shape, units_of(kernel_shape, pipelines));
            }
        }
}

/// Adds the variant's families that use these units: one per expert-tensor degree, with and without sequence
/// parallelism.
void ConfigurationSpace::add_families(KernelShape kernel_shape, UnitRange units) {
    const Plan &plan = m_variants[static_cast<std::size_t>(kernel_shape.variant)];
    const std::int64_t length = plan.batch.sequence_length;
    const std::int64_t experts = routed_experts(plan.model);
    for (const bool sequence : {false, true}) {
        if ((sequence && kernel_shape.tensor == 1) || !admits(ConfigurationField::sequence_parallel, sequence ? 1 : 0)
            || length % (kernel_shape.context * (sequence ? kernel_shape.tensor : 1)) != 0
            || !runs_sequence_sharding(m_can_run, kernel_shape.tensor, sequence, experts))
            continue;
        kernel_shape.sequence_parallel = sequence;
        for (const std::int64_t cut : m_expert_tensors) {
            if (!runs_expert_tensor(m_can_run, cut, kernel_shape.tensor))
                continue;
            kernel_shape.expert_tensor = cut;
            m_families.push_back({.kernel_shape = kernel_shape,
                                  .first_unit = units.first,
                                  .last_unit = units.second,
                                  .units_before = m_units_of_families});
            m_units_of_families += units.second - units.first;
            m_family_bytes += sizeof(ShapeFamily) + traversed_family_bytes;
        }
    }
}

void ConfigurationSpace::list_expert_degrees(const Plan &plan) {
    const std::int64_t experts = routed_experts(plan.model);
    m_experts = admitted(ConfigurationField::expert, experts > 0 ? divisors(experts) : std::vector<std::int64_t>{1});
    m_expert_tensors = admitted(ConfigurationField::expert_tensor,
                                experts > 0 ? divisors(expert_width(plan.model)) : std::vector<std::int64_t>{1});
    const auto index = static_cast<std::size_t>(ConfigurationField::expert_tensor);
    const bool listed = !m_constraints.allowed[index].empty() && !m_constraints.fixed[index];
    if (experts > 0 && !listed)
        std::erase_if(m_expert_tensors, [&](std::int64_t cut) { return cut != 1 && cut != m_present.expert_tensor; });
    std::erase_if(m_experts, [&](std::int64_t expert) { return !runs_experts(m_can_run, expert, 1); });
}

/// Whether the i-th expert-parallel degree divides the ranks of a unit.
bool ConfigurationSpace::spreads(const ShapeFamily &family, std::size_t expert, std::size_t unit) const {
    const std::int64_t ranks = family.kernel_shape.tensor * family.kernel_shape.context * m_units[unit].data;
    return ranks % (m_experts[expert] * family.kernel_shape.expert_tensor) == 0
        && runs_experts_on(expert, family.kernel_shape.context);
}

/// Whether the family's kernel shape with the i-th expert-parallel degree uses this unit in this shard.
bool ConfigurationSpace::has(const ShapeFamily &family, std::size_t expert, std::size_t unit) const {
    return spreads(family, expert, unit) && (m_kept.empty() || m_kept[place_of(family, expert, unit)]);
}

/// Index of a family's unit in `m_kept`, which has one entry per family, unit and expert-parallel degree.
std::size_t ConfigurationSpace::place_of(const ShapeFamily &family, std::size_t expert, std::size_t unit) const {
    return (family.units_before + unit - family.first_unit) * m_experts.size() + expert;
}

void ConfigurationSpace::count(ShapeFamily &family) const {
    for (std::size_t expert = 0; expert < m_experts.size(); ++expert) {
        const std::int64_t before = family.layouts;
        for (std::size_t unit = family.first_unit; unit < family.last_unit; ++unit)
            if (has(family, expert, unit))
                family.layouts += m_units[unit].layouts;
        if (family.layouts == before)
            continue;
        family.kernel_shape.expert =
            family.kernel_shapes > 0 ? std::max(family.kernel_shape.expert, m_experts[expert]) : m_experts[expert];
        ++family.kernel_shapes;
    }
}

std::vector<Piece> ConfigurationSpace::pieces_of(const ShapeFamily &family) const {
    std::vector<Piece> pieces;
    pieces.reserve(family.kernel_shapes);
    for (std::size_t expert = 0; expert < m_experts.size(); ++expert) {
        Piece piece{.kernel_shape = family.kernel_shape, .units = {}};
        piece.kernel_shape.expert = m_experts[expert];
        for (std::size_t unit = family.first_unit; unit < family.last_unit; ++unit)
            if (has(family, expert, unit)) {
                if (piece.units.empty())
                    piece.units.reserve(family.last_unit - unit);
                piece.units.push_back(&m_units[unit]);
                piece.layouts += m_units[unit].layouts;
            }
        if (!piece.units.empty())
            pieces.push_back(std::move(piece));
    }
    return pieces;
}

ConfigurationSpace::UnitRange ConfigurationSpace::units_of(const KernelShape &kernel_shape,
                                                           const std::vector<std::int64_t> &pipelines) {
    const Plan &plan = m_variants[static_cast<std::size_t>(kernel_shape.variant)];
    const auto [known, is_new] =
        m_unit_ranges.try_emplace({kernel_shape.tensor, kernel_shape.context, kernel_shape.micro_sequences,
                                   plan.site_accelerators(), plan.batch.global_sequences, needs_sharded_states(plan)});
    if (is_new && has_room(max_shared_bytes / 2 * 3)) {
        known->second.first = m_units.size();
        add_units(kernel_shape, pipelines);
        known->second.second = m_units.size();
    }
    return known->second;
}

/// Adds the units for these tensor and context degrees. All expert degrees share the units.
void ConfigurationSpace::add_units(const KernelShape &kernel_shape, const std::vector<std::int64_t> &pipelines) {
    const Plan &plan = m_variants[static_cast<std::size_t>(kernel_shape.variant)];
    const std::int64_t stages_and_data = plan.site_accelerators() / (kernel_shape.tensor * kernel_shape.context);
    for (const std::int64_t pipeline : pipelines) {
        const std::int64_t data = stages_and_data / pipeline;
        if (stages_and_data % pipeline != 0 || !admits(ConfigurationField::data, data)
            || !runs_context_with(m_can_run, kernel_shape.context, 1, pipeline)
            || plan.batch.global_sequences % (data * kernel_shape.micro_sequences) != 0)
            continue;
        PipelineUnit unit{.pipeline = pipeline, .data = data};
        unit.schedules =
            &schedules(plan, pipeline, plan.batch.global_sequences / (data * kernel_shape.micro_sequences));
        unit.shardings = &shardings({.ranks = data * kernel_shape.context,
                                     .with_pipeline = pipeline > 1,
                                     .with_others = kernel_shape.tensor > 1 || kernel_shape.context > 1 || pipeline > 1,
                                     .needs_sharded_states = needs_sharded_states(plan)});
        unit.layouts = static_cast<std::int64_t>(unit.schedules->size() * unit.shardings->size() * m_recomputes.size());
        if (unit.layouts == 0)
            continue;
        m_units.push_back(unit);
        m_listed_bytes += sizeof(PipelineUnit);
    }
}

/// Assigns each unit to the shard with the fewest configurations so far.
void ConfigurationSpace::keep_shard() {
    if (m_shard.count <= 1)
        return;
    if (m_loads.empty())
        for (std::int64_t i = 0; i < m_shard.count; ++i)
            m_loads.emplace_back(0, i);
    std::vector<bool> kept(m_units_of_families * m_experts.size());
    for (const ShapeFamily &family : m_families)
        for (std::size_t expert = 0; expert < m_experts.size(); ++expert)
            for (std::size_t unit = family.first_unit; unit < family.last_unit; ++unit) {
                if (!has(family, expert, unit))
                    continue;
                std::pop_heap(m_loads.begin(), m_loads.end(), std::greater<>());
                m_loads.back().first += m_units[unit].layouts;
                kept[place_of(family, expert, unit)] = m_loads.back().second == m_shard.index;
                std::push_heap(m_loads.begin(), m_loads.end(), std::greater<>());
            }
    m_kept = std::move(kept);
}

/// Adds each field's values in the part of the space that is currently listed. With one variant, these are only the
/// values of this shard. With several variants, they are the values of all shards, because variants have mostly the
/// same values.
void ConfigurationSpace::add_values(FieldValues &values) {
    const auto put = [&](ConfigurationField field, std::int64_t value) {
        std::vector<std::int64_t> &all = values[static_cast<std::size_t>(field)];
        const auto place = std::lower_bound(all.begin(), all.end(), value);
        if (place == all.end() || *place != value)
            all.insert(place, value);
    };
    const bool exact = m_variants.size() == 1;
    std::set<const void *> seen; // lists whose values have been added; many units share a list
    for (const ShapeFamily &family : m_families) {
        put(ConfigurationField::tensor, family.kernel_shape.tensor);
        put(ConfigurationField::context, family.kernel_shape.context);
        put(ConfigurationField::expert_tensor, family.kernel_shape.expert_tensor);
        put(ConfigurationField::micro_sequences, family.kernel_shape.micro_sequences);
        put(ConfigurationField::sequence_parallel, family.kernel_shape.sequence_parallel ? 1 : 0);
        if (!exact && !m_valued.emplace(family.first_unit, family.kernel_shape.expert_tensor).second)
            continue;
        for (std::size_t at = family.first_unit; at < family.last_unit; ++at) {
            bool any = false;
            for (std::size_t expert = 0; expert < m_experts.size(); ++expert)
                if (exact ? has(family, expert, at) : spreads(family, expert, at)) {
                    put(ConfigurationField::expert, m_experts[expert]);
                    any = true;
                }
            if (!any)
                continue;
            const PipelineUnit &unit = m_units[at];
            put(ConfigurationField::pipeline, unit.pipeline);
            put(ConfigurationField::data, unit.data);
            if (seen.insert(unit.schedules).second)
                for (const ScheduleChoice &choice : *unit.schedules) {
                    put(ConfigurationField::chunks, choice.chunks);
                    put(ConfigurationField::schedule, static_cast<std::int64_t>(choice.schedule));
                }
            if (seen.insert(unit.shardings).second)
                for (const auto &[stage, group] : *unit.shardings)
                    put(ConfigurationField::zero_stage, stage);
        }
    }
    for (const RecomputeMode mode : m_recomputes)
        put(ConfigurationField::recompute, static_cast<std::int64_t>(mode));
}

bool ConfigurationSpace::finds(const Plan &plan) const {
    const Configuration layout = configuration_of(plan);
    const Plan &first = m_variants.front();
    if (first.precision != plan.precision || first.offload != plan.offload
        || first.parallelism.placement != plan.parallelism.placement)
        return false; // the variants replace values that the plan's software does not support
    if (!plan.parallelism.layout.empty() || !plan.recompute.modules.empty()
        || (layout.recompute == RecomputeMode::layers && !m_fixed_layers)
        || (layout.recompute != RecomputeMode::layers && plan.recompute.layers != 0)
        || std::find(m_recomputes.begin(), m_recomputes.end(), layout.recompute) == m_recomputes.end())
        return false;
    const auto runs_so = [&](const PipelineUnit &unit) {
        return unit.pipeline == layout.pipeline && unit.data == layout.data
            && std::find(unit.shardings->begin(), unit.shardings->end(),
                         std::pair(layout.zero_stage, layout.shard_group))
            != unit.shardings->end()
            && std::any_of(unit.schedules->begin(), unit.schedules->end(), [&](const ScheduleChoice &choice) {
                   return choice.schedule == layout.schedule && choice.chunks == layout.chunks
                       && choice.group == layout.group && choice.balance == Balance::even;
               });
    };
    const auto expert =
        static_cast<std::size_t>(std::find(m_experts.begin(), m_experts.end(), layout.expert) - m_experts.begin());
    return expert < m_experts.size()
        && std::any_of(m_families.begin(), m_families.end(), [&](const ShapeFamily &family) {
               const KernelShape &kernel_shape = family.kernel_shape;
               if (kernel_shape.variant != 0 || kernel_shape.tensor != layout.tensor
                   || kernel_shape.context != layout.context || kernel_shape.expert_tensor != layout.expert_tensor
                   || kernel_shape.micro_sequences != layout.micro_sequences
                   || kernel_shape.sequence_parallel != layout.sequence_parallel)
                   return false;
               for (std::size_t unit = family.first_unit; unit < family.last_unit; ++unit)
                   if (has(family, expert, unit) && runs_so(m_units[unit]))
                       return true;
               return false;
           });
}

} // namespace meshwright
