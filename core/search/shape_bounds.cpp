// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/shape_search.h"

#include <algorithm>
#include <limits>

namespace meshwright {

FieldPlaces ShapeSearch::unit_places(RecomputeMode recompute) const {
    FieldPlaces places = m_places;
    for (const ConfigurationField field :
         {ConfigurationField::chunks, ConfigurationField::schedule, ConfigurationField::zero_stage})
        places[static_cast<std::size_t>(field)] = any_place;
    places[static_cast<std::size_t>(ConfigurationField::recompute)] =
        place_of(m_values, ConfigurationField::recompute, static_cast<std::int64_t>(recompute));
    return places;
}

/// Applies lower bounds, from the cheapest to the most expensive: step time of the kernel shape, passes of the slowest
/// rank, best schedule, memory with any schedule.
void ShapeSearch::bound(const PipelineUnit &unit, RecomputeMode recompute, const Goals &goals) {
    const FieldPlaces places = unit_places(recompute);
    const auto matters = [&](double seconds, double peak) {
        return goals.could_matter(m_variant.scorer.score(seconds, peak), places);
    };
    // A lower bound without recomputation is valid for every recomputation mode.
    if (!matters(m_min_step_seconds, 0) || !matters(min_passes_seconds(unit, RecomputeMode::none), 0)
        || !matters(pipelines(unit, RecomputeMode::none).min_seconds, 0))
        return;
    Costs &costs = this->costs(recompute);
    if (!matters(costs.min_step_seconds, 0) || !matters(min_passes_seconds(unit, recompute), 0))
        return;
    const Pipelines &pipelines = this->pipelines(unit, recompute);
    const double min_seconds = pipelines.min_seconds;
    if (!matters(min_seconds, 0))
        return;
    const double min_peak = min_peak_bytes(unit, *costs.layers, memory_bound(recompute));
    if (!m_variant.scorer.fits(min_peak)) {
        m_funnel.too_large += static_cast<std::int64_t>(unit.schedules->size() * unit.shardings->size());
        return;
    }
    if (matters(min_seconds, min_peak))
        enter_schedules(unit, recompute, pipelines.seconds, min_peak, goals);
}

double ShapeSearch::min_passes_seconds(const PipelineUnit &unit, RecomputeMode recompute) {
    double &known = m_pipelines[index_of(recompute)].passes_seconds;
    if (known > 0)
        return known;
    known = std::numeric_limits<double>::infinity();
    const StageRuns *before = nullptr;
    for (const ScheduleChoice &choice : *unit.schedules)
        if (choice.runs != before) {
            before = choice.runs;
            known = std::min(known, just_below * longest(*before, recompute).passes_seconds());
        }
    return known;
}

const ShapeSearch::Pipelines &ShapeSearch::pipelines(const PipelineUnit &unit, RecomputeMode recompute) {
    Pipelines &pipelines = m_pipelines[index_of(recompute)];
    if (!pipelines.seconds.empty())
        return pipelines;
    pipelines.seconds.reserve(unit.schedules->size());
    for (const ScheduleChoice &choice : *unit.schedules) {
        set_schedule(choice);
        pipelines.seconds.push_back(just_below * longest(*choice.runs, recompute).pipeline_seconds(*m_plan));
    }
    pipelines.min_seconds = *std::min_element(pipelines.seconds.begin(), pipelines.seconds.end());
    return pipelines;
}

double ShapeSearch::unoverlapped_seconds(const PipelineUnit &unit, const Entry &entry) {
    const ScheduleChoice &choice = (*unit.schedules)[entry.schedule];
    const auto &sharding = (*unit.shardings)[entry.sharding];
    std::vector<Apart> &all = m_pipelines[index_of(entry.recompute)].apart;
    // Chunks and paired passes change how much communication overlaps. Only ZeRO-2 changes how often gradients are
    // reduced.
    const bool chunks = m_plan->layer_chunks() > 1;
    const bool pairs = pairing_of(*m_plan) == Pairing::paired;
    const std::size_t way = 4 * choice.runs->kinds + (chunks ? 2 : 0) + (pairs ? 1 : 0);
    const std::size_t at = way * unit.shardings->size() + entry.sharding;
    if (all.size() <= at)
        all.resize(at + 1);
    Apart &known = all[at];
    const std::int64_t reduced = sharding.first == 2 ? microbatches_a_reduction(*m_plan) : 1;
    if (known.microbatches_a_reduction == reduced)
        return known.seconds;
    set(choice, sharding, entry.recompute);
    const LayerCosts &layers = *costs(entry.recompute).layers;
    m_data_rings.resize(unit.shardings->size());
    std::optional<DataRings> &rings = m_data_rings[entry.sharding];
    if (!rings)
        rings = data_rings(*m_plan, layers);
    known = {
        .microbatches_a_reduction = reduced,
        .seconds = just_below
            * longest(*choice.runs, entry.recompute).unoverlapped_seconds(*m_plan, layers, *rings, m_variant.assumed)};
    return known.seconds;
}

const LongestRank &ShapeSearch::longest(const StageRuns &runs, RecomputeMode recompute) {
    std::vector<std::optional<LongestRank>> &known = m_pipelines[index_of(recompute)].longest;
    if (known.size() <= runs.kinds)
        known.resize(runs.kinds + 1);
    if (!known[runs.kinds]) {
        const Costs &costs = this->costs(recompute);
        if (!m_hop)
            m_hop = stage_hop_seconds(*m_plan, *costs.layers);
        known[runs.kinds].emplace(*m_plan, *costs.ranks, runs, *m_hop, m_straggler);
    }
    return *known[runs.kinds];
}

RankMemoryBound &ShapeSearch::memory_bound(RecomputeMode recompute) {
    std::optional<RankMemoryBound> &memory_bound = m_memory_bounds[static_cast<std::size_t>(recompute)];
    if (!memory_bound) {
        const Costs &costs = this->costs(recompute);
        memory_bound.emplace(*m_plan, *costs.layers, costs.ranks->all(), recompute);
    }
    return *memory_bound;
}

void ShapeSearch::enter_schedules(const PipelineUnit &unit, RecomputeMode recompute,
                                  const std::vector<double> &pipeline_seconds, double min_peak, const Goals &goals) {
    for (std::size_t schedule = 0; schedule < unit.schedules->size(); ++schedule) {
        const StageRuns &runs = *(*unit.schedules)[schedule].runs;
        double seconds = pipeline_seconds[schedule];
        FieldPlaces places{};
        if (goals.wants_curves()) {
            places = this->places((*unit.schedules)[schedule], 0, recompute);
            places[static_cast<std::size_t>(ConfigurationField::zero_stage)] = any_place;
        }
        const auto matters = [&] { return goals.could_matter(m_variant.scorer.score(seconds, min_peak), places); };
        if (!matters())
            continue;
        if (recompute == RecomputeMode::layers) {
            seconds += min_recompute_seconds(runs, memory_bound(recompute), m_space.fixed_layers().value_or(1));
            if (!matters())
                continue;
        }
        set_schedule((*unit.schedules)[schedule]);
        for (std::size_t sharding = 0; sharding < unit.shardings->size(); ++sharding) {
            if (!m_variant.scorer.fits(m_min_peaks[sharding])) {
                ++m_funnel.too_large;
                continue;
            }
            Entry entry{.bound = seconds,
                        .pipeline = pipeline_seconds[schedule],
                        .peak = m_min_peaks[sharding],
                        .schedule = static_cast<std::uint32_t>(schedule),
                        .sharding = static_cast<std::uint16_t>(sharding),
                        .recompute = recompute};
            const FieldPlaces at = this->places(unit, entry, goals);
            // Sharding and peak memory matter only for fronts and curves.
            if (!goals.goes_by_time_alone() && !could_matter(entry, at, goals))
                continue;
            entry.bound = std::max(entry.bound, entry.pipeline + unoverlapped_seconds(unit, entry));
            if (could_matter(entry, at, goals))
                m_entries.push_back(entry);
        }
    }
}

/// Lower bound on the peak memory of all configurations of `unit`. Also stores the bound of each sharding.
double ShapeSearch::min_peak_bytes(const PipelineUnit &unit, const LayerCosts &layers, RankMemoryBound &memory_bound) {
    const ActivationBound &held = m_variant.activation_bound->activation_bound(*m_plan, *unit.schedules);
    double least = std::numeric_limits<double>::infinity();
    m_min_peaks.clear();
    for (const auto &sharding : *unit.shardings) {
        set({.schedule = Schedule::one_f_one_b}, sharding, RecomputeMode::none);
        double peak = just_below * memory_bound.min_first_rank_bytes(*m_plan, layers, held, m_variant.assumed);
        if (m_variant.scorer.fits(peak))
            peak =
                std::max(peak, just_below * memory_bound.min_mean_rank_bytes(*m_plan, layers, held, m_variant.assumed));
        m_min_peaks.push_back(peak);
        least = std::min(least, peak);
    }
    return least;
}

bool ShapeSearch::raise_bounds(const ScheduleChoice &choice, Entry &entry) {
    RankMemoryBound &memory_bound = this->memory_bound(entry.recompute);
    const LayerCosts &layers = *costs(entry.recompute).layers;
    const StageRuns &runs = *choice.runs;
    if (entry.recompute == RecomputeMode::layers && !m_space.fixed_layers()) {
        const std::optional<Fewest> fewest = fewest_layers(runs, memory_bound);
        if (!fewest)
            return false;
        entry.bound = std::max(entry.bound, entry.pipeline + min_recompute_seconds(runs, memory_bound, fewest->layers));
        entry.peak = fewest->ends_bytes;
    } else {
        entry.peak = ends_bytes(layers, runs, memory_bound, m_space.fixed_layers().value_or(0));
    }
    if (m_variant.scorer.fits(entry.peak))
        entry.peak =
            std::max(entry.peak, just_below * memory_bound.mean_rank_bytes(*m_plan, layers, choice, m_variant.assumed));
    return m_variant.scorer.fits(entry.peak);
}

/// Lower bound on the memory of the first and last pipeline ranks, or only of the first if it already does not fit.
double ShapeSearch::ends_bytes(const LayerCosts &layers, const StageRuns &runs, RankMemoryBound &memory_bound,
                               std::int64_t recomputed) const {
    const auto bytes = [&](RankMemoryBound::End end) {
        return just_below * memory_bound.end_rank_bytes(*m_plan, layers, runs, end, recomputed, m_variant.assumed);
    };
    const double first = bytes(RankMemoryBound::End::first);
    if (m_plan->parallelism.pipeline == 1 || !m_variant.scorer.fits(first))
        return first;
    return std::max(first, bytes(RankMemoryBound::End::last));
}

/// The minimum number of recomputed layers per stage with which the first and last pipeline ranks fit. Returns nothing
/// if they do not fit with any number.
std::optional<ShapeSearch::Fewest> ShapeSearch::fewest_layers(const StageRuns &runs, RankMemoryBound &memory_bound) {
    const LayerCosts &layers = *costs(RecomputeMode::layers).layers;
    if (!memory_bound.frees())
        return Fewest{.layers = 1, .ends_bytes = ends_bytes(layers, runs, memory_bound, 1)};
    Fewest fewest;
    const auto could_fit = [&](std::int64_t recomputed) {
        const double bytes = ends_bytes(layers, runs, memory_bound, recomputed);
        const bool fits = m_variant.scorer.fits(bytes);
        if (fits)
            fewest = {.layers = recomputed, .ends_bytes = bytes};
        return fits;
    };
    const std::int64_t most = std::max<std::int64_t>(1, runs.most - 1);
    if (!could_fit(most)) // tries the most recomputation first, because usually even that does not fit
        return std::nullopt;
    first_of(1, most - 1, could_fit); // memory decreases with the count, so the first count that fits is the minimum
    return fewest;
}

/// Lower bound on the time that the slowest rank spends on recomputation.
double ShapeSearch::min_recompute_seconds(const StageRuns &runs, const RankMemoryBound &memory_bound,
                                          std::int64_t layers) {
    const std::vector<StagePlace> &stages = runs.fullest[longest(runs, RecomputeMode::layers).kind()].stages;
    return just_below * static_cast<double>(m_plan->microbatches()) * m_straggler
        * memory_bound.recompute_seconds(runs, stages, layers);
}

} // namespace meshwright
