// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/shape_search.h"

#include "memory/memory_model.h"

#include <algorithm>
#include <limits>

namespace meshwright {

namespace {

/// Maximum number of configurations that open() evaluates before it finds one that fits.
constexpr std::size_t looks_when_opened = 16;

void set_kernel_shape(const KernelShape &kernel_shape, Plan &plan) {
    Parallelism &parallelism = plan.parallelism;
    parallelism.tensor = kernel_shape.tensor;
    parallelism.context = kernel_shape.context;
    parallelism.expert = kernel_shape.expert;
    parallelism.expert_tensor = kernel_shape.expert_tensor;
    parallelism.sequence_parallel = kernel_shape.sequence_parallel;
    parallelism.pipeline = 1;
    parallelism.data = plan.site_accelerators() / (kernel_shape.tensor * kernel_shape.context);
    parallelism.layout.clear();
    plan.batch.micro_sequences = kernel_shape.micro_sequences;
    plan.recompute.mode = RecomputeMode::none;
    plan.recompute.layers = 0;
}

} // namespace

Funnel &Funnel::operator+=(const Funnel &other) {
    fit += other.fit;
    too_large += other.too_large;
    slower += other.slower;
    repeats += other.repeats;
    return *this;
}

void place_last(std::vector<Dimension> &placement, std::initializer_list<Dimension> moved) {
    auto at = placement.begin();
    for (std::size_t left = placement.size(); left > 0; --left)
        if (std::find(moved.begin(), moved.end(), *at) == moved.end())
            ++at;
        else
            std::rotate(at, at + 1, placement.end());
}

ShapeSearch::ShapeSearch(const ConfigurationSpace &space, const FieldValues &values, const Variant &variant,
                         const KernelShape &kernel_shape, Plan &plan)
    : m_space(space)
    , m_values(values)
    , m_variant(variant)
    , m_kernel_shape(kernel_shape)
    , m_plan(&plan)
    , m_straggler(straggler_of<double>(plan, variant.assumed)) {
    use(plan);
    place_last(m_plan->parallelism.placement, {Dimension::pipeline, Dimension::data});
    m_min_step_seconds = costs(RecomputeMode::none).min_step_seconds;
    m_plan->parallelism.placement = m_variant.plan->parallelism.placement;
}

void ShapeSearch::use(Plan &plan) {
    m_plan = &plan;
    set_kernel_shape(m_kernel_shape, plan);
}

ShapeSearch::Costs &ShapeSearch::costs(RecomputeMode recompute) {
    const bool full = recompute == RecomputeMode::full;
    Costs &found = m_costs[index_of(recompute)];
    if (found.layers)
        return found;
    const RecomputeMode before = m_plan->recompute.mode;
    m_plan->recompute.mode = index_of(recompute) > 0 ? recompute : RecomputeMode::none;
    if (full && m_costs[0].layers)
        found.layers.emplace(m_costs[0].layers->recomputed_in_full(*m_plan));
    else
        found.layers.emplace(m_variant.kernels->layer_costs(*m_plan));
    m_plan->recompute.mode = before;
    found.ranks.emplace(*m_plan, *found.layers, full);
    found.min_step_seconds = just_below
        * meshwright::min_step_seconds(*m_plan, found.ranks->all(), m_variant.assumed, m_space.admits_two_directions());
    return found;
}

void ShapeSearch::enter(const PipelineUnit &unit) {
    m_plan->parallelism.pipeline = unit.pipeline;
    m_plan->parallelism.data = unit.data;
    m_plan->parallelism.layout.clear();
    m_plan->parallelism.shard_group.reset();
    for (Costs &costs : m_costs)
        if (costs.layers && !costs.layers->regroup(*m_plan)) {
            costs.layers.reset();
            m_memory_bounds = {};
        }
    for (std::optional<RankMemoryBound> &memory_bound : m_memory_bounds)
        if (memory_bound)
            memory_bound->forget_ends();
    m_entries.clear();
    m_ranks.clear();
    for (Pipelines &pipelines : m_pipelines) {
        pipelines.seconds.clear();
        pipelines.passes_seconds = 0;
        pipelines.longest.clear();
        pipelines.apart.clear();
    }
    m_hop.reset();
    m_data_rings.clear();
    place(unit);
}

void ShapeSearch::place(const PipelineUnit &unit) {
    const auto place = [this](ConfigurationField field, std::int64_t value) {
        m_places[static_cast<std::size_t>(field)] = place_of(m_values, field, value);
    };
    place(ConfigurationField::tensor, m_kernel_shape.tensor);
    place(ConfigurationField::context, m_kernel_shape.context);
    place(ConfigurationField::expert, m_kernel_shape.expert);
    place(ConfigurationField::expert_tensor, m_kernel_shape.expert_tensor);
    place(ConfigurationField::sequence_parallel, m_kernel_shape.sequence_parallel ? 1 : 0);
    place(ConfigurationField::micro_sequences, m_kernel_shape.micro_sequences);
    place(ConfigurationField::pipeline, unit.pipeline);
    place(ConfigurationField::data, unit.data);
}

FieldPlaces ShapeSearch::places(const ScheduleChoice &choice, std::int64_t zero_stage, RecomputeMode recompute) const {
    FieldPlaces places = m_places;
    const auto place = [&](ConfigurationField field, std::int64_t value) {
        places[static_cast<std::size_t>(field)] = place_of(m_values, field, value);
    };
    place(ConfigurationField::chunks, choice.chunks);
    place(ConfigurationField::schedule, static_cast<std::int64_t>(choice.schedule));
    place(ConfigurationField::zero_stage, zero_stage);
    place(ConfigurationField::recompute, static_cast<std::int64_t>(recompute));
    return places;
}

void ShapeSearch::open(const PipelineUnit &unit, const Configuration *skip, Goals &goals, const std::stop_token &stop) {
    enter(unit);
    for (const RecomputeMode recompute : m_space.recomputes()) {
        if (stop.stop_requested())
            return;
        bound(unit, recompute, goals);
    }
    std::sort(m_entries.begin(), m_entries.end(), [](const Entry &a, const Entry &b) {
        return std::tie(a.bound, a.recompute, a.sharding, a.schedule)
            < std::tie(b.bound, b.recompute, b.sharding, b.schedule);
    });
    const auto most = static_cast<std::ptrdiff_t>(std::min(m_entries.size(), looks_when_opened));
    auto next = m_entries.begin();
    for (bool fits = false; next != m_entries.begin() + most && !fits && !stop.stop_requested(); ++next)
        fits = look_at(unit, *next, skip, goals);
    if (next != m_entries.end())
        m_waiting.push_back({.unit = &unit, .entries = std::vector<Entry>(next, m_entries.end())});
}

void ShapeSearch::go_on(std::int64_t most, const Configuration *skip, Goals &goals, const std::stop_token &stop) {
    const std::int64_t until = m_evaluated + most;
    std::sort(m_waiting.begin(), m_waiting.end(),
              [](const Waiting &a, const Waiting &b) { return a.entries[a.next].bound < b.entries[b.next].bound; });
    for (Waiting &waiting : m_waiting) {
        place(*waiting.unit);
        const auto could_matter = [&] {
            const Entry &entry = waiting.entries[waiting.next];
            return this->could_matter(entry, places(*waiting.unit, entry, goals), goals);
        };
        while (waiting.next < waiting.entries.size() && !could_matter())
            ++waiting.next;
        if (waiting.next == waiting.entries.size())
            continue;
        if (m_evaluated >= until || stop.stop_requested())
            break;
        enter(*waiting.unit);
        for (; waiting.next < waiting.entries.size() && m_evaluated < until && !stop.stop_requested(); ++waiting.next)
            look_at(*waiting.unit, waiting.entries[waiting.next], skip, goals);
    }
    std::erase_if(m_waiting, [](const Waiting &waiting) { return waiting.next == waiting.entries.size(); });
}

double ShapeSearch::min_waiting_seconds() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Waiting &waiting : m_waiting)
        least = std::min(least, waiting.entries[waiting.next].bound);
    return least;
}

void ShapeSearch::set_schedule(const ScheduleChoice &choice) {
    Parallelism &parallelism = m_plan->parallelism;
    parallelism.schedule = choice.schedule;
    parallelism.chunks = choice.chunks;
    parallelism.group = choice.group > 0 ? std::optional(choice.group) : std::nullopt;
}

void ShapeSearch::set(const ScheduleChoice &choice, std::pair<std::int64_t, std::int64_t> sharding,
                      RecomputeMode recompute) {
    const Configuration layout = configuration_of(m_kernel_shape, m_plan->parallelism.pipeline,
                                                  m_plan->parallelism.data, choice, sharding, recompute);
    apply(layout, *m_plan);
}

ShapeSearch::Ranks &ShapeSearch::ranks(const ScheduleChoice &choice) {
    const StagePlacement folding = definition_of(choice.schedule).placement;
    const std::int64_t chunks = m_plan->layer_chunks();
    const RecomputeMode recompute = m_plan->recompute.mode;
    for (Ranks &known : m_ranks)
        if (known.chunks == chunks && known.folding == folding && known.balance == choice.balance
            && known.recompute == recompute && known.layers == m_plan->recompute.layers)
            return known;
    m_ranks.push_back({.chunks = chunks,
                       .folding = folding,
                       .balance = choice.balance,
                       .recompute = recompute,
                       .layers = m_plan->recompute.layers,
                       .costs = pipeline_costs(*m_plan, *costs(recompute).layers),
                       .partial_recompute = {}});
    return m_ranks.back();
}

/// @pre the plan recomputes no layer
PartialRecompute &ShapeSearch::partial_recompute(const ScheduleChoice &choice) {
    Ranks &stored = ranks(choice);
    if (!stored.partial_recompute)
        stored.partial_recompute.emplace(*m_plan, *costs(RecomputeMode::layers).layers, stored.costs);
    return *stored.partial_recompute;
}

bool ShapeSearch::fits_with(const ScheduleChoice &choice, std::int64_t layers) {
    m_plan->recompute = {.mode = layers > 0 ? RecomputeMode::layers : RecomputeMode::none,
                         .layers = layers,
                         .modules = std::move(m_plan->recompute.modules)};
    const PipelineCosts &costs = ranks(choice).costs;
    return m_variant.scorer.fits(
        peak_bytes(*m_plan, *this->costs(m_plan->recompute.mode).layers, costs, m_variant.assumed));
}

/// Recomputes the minimum number of layers that makes the plan fit.
ShapeSearch::Layers ShapeSearch::find_layers(const ScheduleChoice &choice) {
    const std::vector<std::int64_t> stages = stage_layers(*m_plan);
    const std::int64_t high = *std::max_element(stages.begin(), stages.end()) - 1;
    if (high < 1 || fits_with(choice, 0))
        return Layers::not_needed;
    const LayerCosts &layers = *costs(RecomputeMode::layers).layers;
    PartialRecompute &partial_recompute = this->partial_recompute(choice);
    const auto could_fit = [&](std::int64_t recomputed) {
        return m_variant.scorer.fits(
            just_below * peak_bytes(*m_plan, layers, partial_recompute.with(recomputed), m_variant.assumed));
    };
    if (partial_recompute.frees() && !could_fit(high))
        return Layers::not_enough;
    // With several kinds of layers, recomputing more layers may need more memory, so each count is tried, starting from
    // the first that could fit.
    for (std::int64_t recomputed = partial_recompute.frees() ? first_of(1, high, could_fit) : 1; recomputed <= high;
         ++recomputed)
        if (fits_with(choice, recomputed))
            return Layers::found;
    return Layers::not_enough;
}

FieldPlaces ShapeSearch::places(const PipelineUnit &unit, const Entry &entry, const Goals &goals) const {
    if (!goals.wants_curves())
        return {};
    return places((*unit.schedules)[entry.schedule], (*unit.shardings)[entry.sharding].first, entry.recompute);
}

bool ShapeSearch::could_matter(const Entry &entry, const FieldPlaces &places, const Goals &goals) const {
    return goals.could_matter(m_variant.scorer.score(entry.bound, entry.peak), places);
}

bool ShapeSearch::look_at(const PipelineUnit &unit, Entry entry, const Configuration *skip, Goals &goals) {
    const FieldPlaces places = this->places(unit, entry, goals);
    if (!could_matter(entry, places, goals))
        return false;
    const ScheduleChoice &choice = (*unit.schedules)[entry.schedule];
    set(choice, (*unit.shardings)[entry.sharding], entry.recompute);
    if (!raise_bounds(choice, entry)) {
        ++m_funnel.too_large;
        return false;
    }
    return could_matter(entry, places, goals) && evaluate(unit, entry, places, skip, goals);
}

bool ShapeSearch::evaluate(const PipelineUnit &unit, const Entry &entry, const FieldPlaces &places,
                           const Configuration *skip, Goals &goals) {
    const ScheduleChoice &choice = (*unit.schedules)[entry.schedule];
    ++m_evaluated;
    if (entry.recompute == RecomputeMode::layers) {
        if (m_space.fixed_layers())
            m_plan->recompute.layers = *m_space.fixed_layers();
        else if (const Layers layers = find_layers(choice); layers != Layers::found) {
            ++(layers == Layers::not_needed ? m_funnel.repeats : m_funnel.too_large);
            return false;
        }
    }
    const LayerCosts &layers = *costs(entry.recompute).layers;
    const PipelineCosts &costs = ranks(choice).costs;
    const double peak = peak_bytes(*m_plan, layers, costs, m_variant.assumed);
    if (!m_variant.scorer.fits(peak)) {
        ++m_funnel.too_large;
        return false;
    }
    ++m_funnel.fit;
    Candidate candidate{.layout = layout(choice), .score = {}};
    if (skip != nullptr && candidate.layout == *skip)
        return true;
    const double seconds = step_seconds(*m_plan, layers, costs, m_variant.assumed, SpanBubble::left_out).total();
    if (!m_variant.exact_runs)
        candidate.score = m_variant.scorer.score(seconds, peak);
    else if (goals.could_matter(m_variant.outer->lowest_score(seconds, peak), places))
        candidate.score = m_variant.outer->ranking_score(seconds, peak);
    else
        return true;
    goals.add(candidate, places);
    return true;
}

Configuration ShapeSearch::layout(const ScheduleChoice &choice) const {
    Configuration layout = configuration_of(*m_plan);
    layout.balance = choice.balance;
    layout.variant = m_kernel_shape.variant;
    return layout;
}

} // namespace meshwright
