// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/error_statistics.h"

#include "layers/flops.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace meshwright {

namespace {

/// Sorts `values`, and interpolates linearly between the two neighbors of the quantile.
/// @param values  not empty
double quantile(std::vector<double> &values, double share) {
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

} // namespace

Errors errors_of(std::vector<double> errors, std::size_t skipped) {
    Errors found{.count = errors.size(), .skipped = skipped};
    if (errors.empty())
        return found;
    found.bias = quantile(errors, 0.5);
    for (double &error : errors)
        error = std::abs(error);
    found.mean_absolute = std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
    found.median_absolute = quantile(errors, 0.5);
    found.p90_absolute = quantile(errors, 0.9);
    return found;
}

double share_of_peak(const RunPlan &run, double seconds, DataType format) {
    const Plan &plan = run.plan;
    const auto sequence = static_cast<double>(plan.batch.sequence_length);
    const ForwardFlops forward = forward_flops(plan.model, sequence);
    const double step = 3 * (forward.matrices + forward.attention) * sequence
        * static_cast<double>(plan.batch.global_sequences) * run.batch_share;
    return step / (plan.cluster.accelerator.peak(format) * static_cast<double>(plan.site_accelerators()) * seconds);
}

bool is_stalled(const MeasuredRun &run, const RunPlan &plan) {
    const std::optional<double> measured = run.measured_seconds();
    return measured && plan.skipped.empty() && share_of_peak(plan, *measured, DataType::bf16) < stalled_share;
}

EvidenceSummary summarise(const std::vector<MeasuredRun> &runs, const std::vector<RunPlan> &plans,
                          const std::vector<Prediction> &predictions, const std::vector<std::size_t> &chosen) {
    std::vector<double> steps;
    std::vector<double> stalled;
    std::vector<double> memories;
    std::vector<double> widths;
    std::vector<double> memory_widths;
    std::size_t steps_skipped = 0;
    std::size_t memories_skipped = 0;
    std::size_t inside = 0;
    std::size_t memory_inside = 0;
    std::size_t foretold = 0;
    EvidenceSummary summary;
    for (const std::size_t i : chosen) {
        const MeasuredRun &run = runs[i];
        const Prediction &predicted = predictions[i];
        const bool has = predicted.skipped.empty();
        if (const std::optional<double> measured = run.measured_seconds()) {
            if (!has) {
                ++steps_skipped;
            } else if (is_stalled(run, plans[i])) {
                stalled.push_back(predicted.step_seconds / *measured - 1);
            } else {
                steps.push_back(predicted.step_seconds / *measured - 1);
                if (predicted.low_seconds > 0)
                    widths.push_back(predicted.high_seconds / predicted.low_seconds - 1);
                inside += predicted.low_seconds <= *measured && *measured <= predicted.high_seconds ? 1 : 0;
            }
        }
        if (run.peak_memory_bytes && *run.peak_memory_bytes > 0) {
            const double measured = *run.peak_memory_bytes;
            if (has) {
                memories.push_back(predicted.memory_bytes(run.memory_kind) / measured - 1);
                if (predicted.low_bytes > 0)
                    memory_widths.push_back(predicted.high_bytes / predicted.low_bytes - 1);
                memory_inside += predicted.low_bytes <= measured && measured <= predicted.high_bytes ? 1 : 0;
            } else {
                ++memories_skipped;
            }
        }
        if (has && run.ending != Ending::failed) {
            ++summary.fits_count;
            foretold += predicted.fits == (run.ending == Ending::ok) ? 1 : 0;
        }
    }
    if (!steps.empty())
        summary.coverage = static_cast<double>(inside) / static_cast<double>(steps.size());
    if (!widths.empty())
        summary.interval_width = quantile(widths, 0.5);
    if (!memories.empty())
        summary.memory_coverage = static_cast<double>(memory_inside) / static_cast<double>(memories.size());
    if (!memory_widths.empty())
        summary.memory_interval_width = quantile(memory_widths, 0.5);
    if (summary.fits_count > 0)
        summary.fits_accuracy = static_cast<double>(foretold) / static_cast<double>(summary.fits_count);
    const std::size_t left_out = steps_skipped + stalled.size();
    stalled.insert(stalled.end(), steps.begin(), steps.end());
    summary.step = errors_of(std::move(steps), left_out);
    summary.step_with_stalled = errors_of(std::move(stalled), steps_skipped);
    summary.memory = errors_of(std::move(memories), memories_skipped);
    return summary;
}

std::vector<std::pair<std::string, std::vector<std::size_t>>> rows_by_source(const std::vector<MeasuredRun> &runs) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> sources;
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto [place, is_new] = places.try_emplace(runs[i].source, sources.size());
        if (is_new)
            sources.emplace_back(runs[i].source, std::vector<std::size_t>{});
        sources[place->second].second.push_back(i);
    }
    return sources;
}

} // namespace meshwright
