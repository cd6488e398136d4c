// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/similar_runs.h"

#include "catalog/architectures.h"
#include "catalog/library.h"
#include "catalog/preset_digest.h"
#include "threads/for_each_index.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <mutex>
#include <utility>

namespace meshwright {

namespace {

constexpr std::size_t neighbours = 60;
/// Maximum number of runs from one source, so that one large table does not dominate.
constexpr std::size_t max_of_a_source = 20;
constexpr double own_weight = 10; ///< weight of a run on the plan's own machine
constexpr double other_memory = 0.7; ///< added to the squared distance of a run that reports another kind of memory

/// Whether a kind of memory figure counts only tensors. Reserved and device memory also include the allocator's pool.
bool counts_tensors(MeasuredMemory kind) {
    return kind == MeasuredMemory::allocated || kind == MeasuredMemory::allocated_on_last_rank;
}

/// Caches the most recently used sets of runs, keyed by their overrides. The lock is held only for lookups: prediction
/// runs on all cores and may call back into the cache.
class KeptRuns {
public:
    using Overrides = std::map<std::string, double>;
    using Runs = std::shared_ptr<const KnownRuns>;

    Runs find(const Overrides &overrides) {
        const std::lock_guard lock(m_mutex);
        const auto found =
            std::find_if(m_latest.begin(), m_latest.end(), [&](const auto &entry) { return entry.first == overrides; });
        if (found == m_latest.end())
            return nullptr;
        m_latest.splice(m_latest.begin(), m_latest, found);
        return found->second;
    }

    Runs keep(const Overrides &overrides, Runs runs) {
        const std::lock_guard lock(m_mutex);
        m_latest.emplace_front(overrides, runs);
        if (m_latest.size() > most)
            m_latest.pop_back();
        return runs;
    }

    void start_from(const BuiltInRuns &runs) {
        const std::lock_guard lock(m_mutex);
        m_built_in = runs;
    }

    BuiltInRuns built_in() {
        const std::lock_guard lock(m_mutex);
        return m_built_in;
    }

private:
    static constexpr std::size_t most = 8;
    std::mutex m_mutex;
    BuiltInRuns m_built_in;
    std::list<std::pair<Overrides, Runs>> m_latest; ///< most recently used first
};

KeptRuns &kept() {
    static KeptRuns all;
    return all;
}

} // namespace

std::vector<ComparedRun> compared_runs(const EvidenceTable &table, const std::vector<Prediction> &predictions) {
    std::vector<ComparedRun> compared;
    for (std::size_t i = 0; i < table.runs.size(); ++i) {
        const MeasuredRun &run = table.runs[i];
        const Prediction &prediction = predictions[i];
        if (!table.plans[i].skipped.empty() || !prediction.skipped.empty())
            continue;
        const bool stalled = is_stalled(run, table.plans[i]);
        compared.push_back({.row = i,
                            .id = run.id,
                            .source = run.source,
                            .model = run.model_name,
                            .features = table.features[i].values,
                            .stack = table.features[i].stack,
                            .architecture = table.features[i].architecture,
                            .health = table.features[i].health,
                            .kind = run.memory_kind,
                            .measured_seconds = stalled ? 0 : run.measured_seconds().value_or(0),
                            .predicted_seconds = prediction.step_seconds,
                            .measured_bytes = run.peak_memory_bytes.value_or(0),
                            .predicted_bytes = prediction.memory_bytes(run.memory_kind)});
    }
    return compared;
}

KnownRuns::KnownRuns(std::span<const ComparedRun> runs) {
    for (const ComparedRun &run : runs) {
        Known known{.run = {.row = run.row,
                            .id = std::string(run.id),
                            .source = std::string(run.source),
                            .model = std::string(run.model),
                            .predicted_seconds = run.predicted_seconds},
                    .features = {.values = run.features,
                                 .stack = std::string(run.stack),
                                 .architecture = std::string(run.architecture),
                                 .health = run.health},
                    .kind = run.kind};
        if (run.measured_bytes > 0 && run.predicted_bytes > 0) {
            known.run.measured_bytes = run.measured_bytes;
            known.run.predicted_bytes = run.predicted_bytes;
            known.error = std::log(run.measured_bytes / run.predicted_bytes);
            m_memories.push_back(known);
        }
        if (run.measured_seconds <= 0 || run.predicted_seconds <= 0)
            continue;
        known.run.measured_seconds = run.measured_seconds;
        known.error = std::log(run.measured_seconds / run.predicted_seconds);
        m_steps.push_back(std::move(known));
    }
}

KnownRuns::KnownRuns(const EvidenceTable &table, const std::vector<Prediction> &predictions)
    : KnownRuns(compared_runs(table, predictions)) { }

void KnownRuns::start_from(const BuiltInRuns &runs) {
    kept().start_from(runs);
}

std::shared_ptr<const KnownRuns> KnownRuns::at_hand(const std::map<std::string, double> &overrides) {
    return kept().find(overrides);
}

std::shared_ptr<const KnownRuns> KnownRuns::standard(const std::map<std::string, double> &overrides) {
    if (auto found = kept().find(overrides))
        return found;
    const BuiltInRuns built_in = kept().built_in();
    if (overrides.empty() && !built_in.runs.empty() && digest_of_presets(Library::standard()) == built_in.presets)
        return kept().keep(overrides, std::make_shared<const KnownRuns>(built_in.runs));
    const auto table = EvidenceTable::standard();
    return kept().keep(overrides, std::make_shared<const KnownRuns>(*table, table->predict(overrides)));
}

template <typename Distance>
std::vector<KnownRuns::Near> KnownRuns::near(const std::vector<Known> &list, const Distance &distance_of,
                                             std::size_t most, std::string_view without_source) {
    std::vector<Near> all;
    all.reserve(list.size());
    for (const Known &known : list)
        if (without_source.empty() || known.run.source != without_source)
            all.push_back({distance_of(known), &known});
    const auto is_nearer = [](const Near &a, const Near &b) {
        return a.distance != b.distance ? a.distance < b.distance : a.known->run.id < b.known->run.id;
    };
    constexpr std::size_t looked_at = 600;
    const std::size_t sorted = std::min(all.size(), std::max(most, looked_at));
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(sorted), all.end(), is_nearer);
    all.resize(sorted);
    std::map<std::string_view, std::size_t> taken;
    std::vector<Near> chosen;
    for (const Near &one : all)
        if (chosen.size() < most && ++taken[one.known->run.source] <= max_of_a_source)
            chosen.push_back(one);
    return chosen;
}

std::vector<SimilarRun> KnownRuns::nearest(const RunFeatures &features, std::size_t most,
                                           std::string_view without_source) const {
    const auto distance_of = [&](const Known &known) { return distance(features, known.features); };
    std::vector<SimilarRun> runs;
    for (const Near &one : near(m_steps, distance_of, most, without_source)) {
        runs.push_back(one.known->run);
        runs.back().distance = one.distance;
    }
    return runs;
}

IntervalFactors KnownRuns::step_interval(const RunFeatures &features, std::string_view without_source) const {
    const auto distance_of = [&](const Known &known) { return distance(features, known.features); };
    return factors(near(m_steps, distance_of, neighbours, without_source));
}

double KnownRuns::memory_distance(const RunFeatures &features, MeasuredMemory kind, const Known &known) {
    const double apart = distance(features, known.features);
    return std::sqrt(apart * apart + (counts_tensors(kind) == counts_tensors(known.kind) ? 0 : other_memory));
}

IntervalFactors KnownRuns::memory_interval(const RunFeatures &features, MeasuredMemory kind,
                                           std::string_view without_source) const {
    const auto distance_of = [&](const Known &known) { return memory_distance(features, kind, known); };
    return factors(near(m_memories, distance_of, neighbours, without_source));
}

std::vector<KnownRuns::Known> KnownRuns::own(const Plan &plan, std::optional<CheckedFigure> OwnRun::*figure) {
    std::vector<Known> runs;
    for (const OwnRun &run : plan.cluster.own_runs) {
        const std::optional<CheckedFigure> &checked = run.*figure;
        if (!checked || family_of(run.shape.architecture) != family_of(plan.cluster.accelerator.architecture))
            continue;
        Known known{.run = {.row = SimilarRun::of_no_table, .id = run.name, .source = plan.cluster.name, .model = {}},
                    .features = features_of(run.shape, plan.cluster.health),
                    .kind = run.memory_kind,
                    .error = std::log(checked->measured / checked->predicted)};
        if (run.step) {
            known.run.measured_seconds = run.step->measured;
            known.run.predicted_seconds = run.step->predicted;
        }
        if (run.memory) {
            known.run.measured_bytes = run.memory->measured;
            known.run.predicted_bytes = run.memory->predicted;
        }
        runs.push_back(std::move(known));
    }
    return runs;
}

std::vector<SimilarRun> KnownRuns::nearest(const Plan &plan, std::size_t most) const {
    const RunFeatures features = features_of(plan);
    std::vector<SimilarRun> runs = nearest(features, most);
    for (Known &known : own(plan, &OwnRun::step)) {
        known.run.distance = distance(features, known.features);
        runs.push_back(std::move(known.run));
    }
    std::stable_sort(runs.begin(), runs.end(),
                     [](const SimilarRun &a, const SimilarRun &b) { return a.distance < b.distance; });
    runs.resize(std::min(runs.size(), most));
    return runs;
}

IntervalFactors KnownRuns::step_interval(const Plan &plan, std::string_view without_source) const {
    const RunFeatures features = features_of(plan);
    const auto distance_of = [&](const Known &known) { return distance(features, known.features); };
    std::vector<Near> chosen = near(m_steps, distance_of, neighbours, without_source);
    const std::vector<Known> owned = own(plan, &OwnRun::step);
    for (const Known &known : owned)
        chosen.push_back({distance_of(known), &known, own_weight});
    return factors(chosen);
}

IntervalFactors KnownRuns::memory_interval(const Plan &plan, MeasuredMemory kind,
                                           std::string_view without_source) const {
    const RunFeatures features = features_of(plan);
    const auto distance_of = [&](const Known &known) { return memory_distance(features, kind, known); };
    std::vector<Near> chosen = near(m_memories, distance_of, neighbours, without_source);
    const std::vector<Known> owned = own(plan, &OwnRun::memory);
    for (const Known &known : owned)
        chosen.push_back({distance_of(known), &known, own_weight});
    return factors(chosen);
}

IntervalFactors KnownRuns::factors(const std::vector<Near> &chosen) {
    constexpr double least = 0.03; // minimum half-width of the interval, in ln(measured / predicted)
    constexpr double prior_spread = 0.135; // half-width if no measured run is near
    constexpr double widening = 0.1; // additional half-width per unit of distance to the nearest run
    constexpr double nothing_near = 3;
    constexpr double reach = 0.7; // distance at which a run has weight 0.6
    std::vector<std::pair<double, double>> errors; // ln(measured / predicted) and weight
    double total = 0;
    double nearest = nothing_near;
    for (const Near &one : chosen) {
        const double weight = one.weight * std::exp(-one.distance * one.distance / (2 * reach * reach)) + 1e-6;
        nearest = std::min(nearest, one.distance);
        errors.emplace_back(one.known->error, weight);
        total += weight;
    }
    constexpr double prior_weight = 1; // weight of each of two assumed runs, with errors -prior_spread and prior_spread
    errors.emplace_back(-prior_spread, prior_weight);
    errors.emplace_back(prior_spread, prior_weight);
    total += 2 * prior_weight;
    std::sort(errors.begin(), errors.end());
    const auto quantile = [&](double share) {
        double sum = 0;
        for (const auto &[error, weight] : errors) {
            sum += weight;
            if (sum >= share * total)
                return error;
        }
        return errors.back().first;
    };
    const double factor = 1 + widening * nearest;
    return {.low = std::exp(std::min(quantile(low_share), -least) * factor),
            .high = std::exp(std::max(quantile(high_share), least) * factor)};
}

void add_intervals(const EvidenceTable &table, const KnownRuns &known, std::vector<Prediction> &predictions) {
    for_each_index(predictions.size(), [&](std::size_t i) {
        Prediction &prediction = predictions[i];
        if (!prediction.skipped.empty())
            return;
        const MeasuredRun &run = table.runs[i];
        const IntervalFactors step = known.step_interval(table.features[i], run.source);
        prediction.low_seconds = prediction.step_seconds * step.low;
        prediction.high_seconds = prediction.step_seconds * step.high;
        if (!run.peak_memory_bytes)
            return;
        const double bytes = prediction.memory_bytes(run.memory_kind);
        const IntervalFactors memory = known.memory_interval(table.features[i], run.memory_kind, run.source);
        prediction.low_bytes = bytes * memory.low;
        prediction.high_bytes = bytes * memory.high;
    });
}

} // namespace meshwright
