// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/similar_runs.h"

#include "catalog/library.h"
#include "catalog/preset_file.h"
#include "input/diagnostic.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace meshwright {

namespace {

/// How far one doubling, or another kind, stands from the same; in the order of features_of.
constexpr std::array<float, RunFeatures::count> weights{
    0.35F, // hidden width
    0.15F, // layers
    0.35F, // tokens of a microbatch
    0.25F, // accelerators
    0.5F, // tensor
    0.35F, // pipeline
    0.5F, // context
    0.3F, // expert
    0.15F, // microbatches
    0.8F, // experts or not
    0.6F, // low precision or not
    0.6F, // fully sharded or not
    0.4F, // recomputed or not
};
constexpr double other_stack = 1;
constexpr double other_architecture = 0.6;
constexpr std::size_t neighbours = 60;
constexpr std::size_t most_of_a_source = 20; ///< so that one large table does not speak for all

float doublings(double value) {
    return static_cast<float>(std::log2(std::max(1.0, value)));
}

} // namespace

RunFeatures features_of(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    const bool experts = std::any_of(plan.model.blocks.begin(), plan.model.blocks.end(), [](const Block &block) {
        return std::holds_alternative<Experts>(block.transform);
    });
    const auto number = [](std::int64_t value) { return doublings(static_cast<double>(value)); };
    const auto kind = [](bool is) { return is ? 1.0F : 0.0F; };
    return {.values = {number(plan.model.hidden), number(plan.model.layer_count()),
                       number(plan.batch.micro_sequences * plan.batch.sequence_length),
                       number(plan.site_accelerators()), number(parallelism.tensor), number(parallelism.pipeline),
                       number(parallelism.context), number(parallelism.expert), number(plan.microbatches()),
                       kind(experts), kind(bytes_of(plan.precision.compute) < 2), kind(parallelism.zero_stage >= 3),
                       kind(plan.recompute.mode != RecomputeMode::none)},
            .stack = plan.stack_id,
            .framework = plan.stack.framework,
            .architecture = plan.cluster.accelerator.architecture};
}

double distance(const RunFeatures &a, const RunFeatures &b) {
    float sum = 0;
    for (std::size_t i = 0; i < RunFeatures::count; ++i) {
        const float apart = (a.values[i] - b.values[i]) * weights[i];
        sum += apart * apart;
    }
    double square = sum;
    square += a.stack == b.stack && !a.stack.empty() ? 0 : other_stack;
    square += a.architecture == b.architecture ? 0 : other_architecture;
    return std::sqrt(square);
}

KnownRuns::KnownRuns(const std::vector<MeasuredRun> &runs, const std::vector<RunPlan> &plans,
                     const std::vector<Prediction> &predictions) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::optional<double> measured = runs[i].measured_seconds();
        if (!measured || !plans[i].skipped.empty() || !predictions[i].skipped.empty() || is_stalled(runs[i], plans[i]))
            continue;
        m_runs.push_back({.run = {.id = runs[i].id,
                                  .source = runs[i].source,
                                  .measured_seconds = *measured,
                                  .predicted_seconds = predictions[i].step_seconds},
                          .features = features_of(plans[i].plan)});
    }
}

const KnownRuns &KnownRuns::standard() {
    static const KnownRuns known = [] {
        try {
            const Library &library = Library::standard();
            const std::vector<MeasuredRun> runs =
                measured_runs(read_csv(read_preset_text(library.own_folder() / "evidence" / "measured-runs.csv")));
            const std::vector<RunPlan> plans = plans_of(runs, RunRules::standard(), library);
            return KnownRuns(runs, plans, predict(plans));
        } catch (const InputError &) {
            return KnownRuns({}, {}, {});
        } catch (const FileError &) {
            return KnownRuns({}, {}, {});
        }
    }();
    return known;
}

std::vector<KnownRuns::Near> KnownRuns::near(const RunFeatures &features, std::size_t most,
                                             std::string_view without_source) const {
    std::vector<Near> all;
    all.reserve(m_runs.size());
    for (const Known &known : m_runs)
        if (without_source.empty() || known.run.source != without_source)
            all.push_back({distance(features, known.features), &known});
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
        if (chosen.size() < most && ++taken[one.known->run.source] <= most_of_a_source)
            chosen.push_back(one);
    return chosen;
}

std::vector<SimilarRun> KnownRuns::nearest(const RunFeatures &features, std::size_t most,
                                           std::string_view without_source) const {
    std::vector<SimilarRun> runs;
    for (const Near &one : near(features, most, without_source)) {
        runs.push_back(one.known->run);
        runs.back().distance = one.distance;
    }
    return runs;
}

IntervalFactors KnownRuns::interval(const RunFeatures &features, std::string_view without_source) const {
    constexpr double least = 0.03; // of ln(measured / predicted), on either side
    constexpr double prior_spread = 0.2; // where no run is near
    constexpr double widening = 0.15; // for each unit of distance to the nearest
    const std::vector<Near> chosen = near(features, neighbours, without_source);
    std::vector<std::pair<double, double>> errors; // ln(measured / predicted), weight
    double total = 0;
    for (const Near &one : chosen) {
        const SimilarRun &run = one.known->run;
        const double weight = std::exp(-one.distance * one.distance / 2) + 1e-6;
        errors.emplace_back(std::log(run.measured_seconds / run.predicted_seconds), weight);
        total += weight;
    }
    constexpr double prior_weight = 1; // of two runs that lie at the prior's ends
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
    const double nearest = chosen.empty() ? 3 : chosen.front().distance;
    const double factor = 1 + widening * nearest;
    return {.low = std::exp(std::min(quantile(0.08), -least) * factor),
            .high = std::exp(std::max(quantile(0.92), least) * factor)};
}

void add_intervals(const std::vector<MeasuredRun> &runs, const std::vector<RunPlan> &plans, const KnownRuns &known,
                   std::vector<Prediction> &predictions) {
    tbb::parallel_for(std::size_t{0}, predictions.size(), [&](std::size_t i) {
        Prediction &prediction = predictions[i];
        if (!prediction.skipped.empty())
            return;
        const IntervalFactors factors = known.interval(features_of(plans[i].plan), runs[i].source);
        prediction.low_seconds = prediction.step_seconds * factors.low;
        prediction.high_seconds = prediction.step_seconds * factors.high;
    });
}

} // namespace meshwright
