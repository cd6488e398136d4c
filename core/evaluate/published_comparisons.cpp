// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/published_comparisons.h"

#include <fmt/format.h>

#include <array>

namespace meshwright {

namespace {

/// Predicted interval from which the interval of a figure is derived.
enum class Follows {
    step, ///< for figures that are proportional to step time
    rate, ///< for figures that are inversely proportional to step time
    memory, ///< for peak memory
    nothing
};

struct Row {
    const char *figure; ///< key of the figure, one of published_figure_names()
    const char *title;
    Quantity quantity;
    Follows follows;
    const char *path; ///< path in the result's JSON; empty if it depends on the plan
    double (*predicted)(const Result &);
};

const StageMemory &peak_stage(const Result &result) {
    return result.memory.stages[static_cast<std::size_t>(result.memory.peak_stage)];
}

double hardware_rate(const Result &result) {
    return result.flops.hardware_per_step
        / (static_cast<double>(result.plan.site_accelerators()) * result.step.seconds);
}

using Quantity::bytes, Quantity::flops_per_second, Quantity::number, Quantity::seconds, Quantity::share;
constexpr std::array rows{
    Row{"step_seconds", "step time", seconds, Follows::step, "step.seconds",
        [](const Result &r) { return r.step.seconds; }},
    Row{"tokens_per_second", "tokens per second", number, Follows::rate, "step.tokens_per_second",
        [](const Result &r) { return r.step.tokens_per_second; }},
    Row{"tokens_per_second_per_accelerator", "tokens per second per accelerator", number, Follows::rate,
        "step.tokens_per_second_per_accelerator",
        [](const Result &r) { return r.step.tokens_per_second_per_accelerator; }},
    Row{"mfu", "MFU", share, Follows::rate, "", [](const Result &r) { return r.step.mfu; }},
    Row{"hfu", "HFU", share, Follows::rate, "step.hfu", [](const Result &r) { return r.step.hfu; }},
    Row{"model_flops_per_second_per_accelerator", "model FLOP/s per accelerator", flops_per_second, Follows::rate,
        "step.model_flops_per_second_per_accelerator",
        [](const Result &r) { return r.step.model_flops_per_second_per_accelerator; }},
    Row{"hardware_flops_per_second_per_accelerator", "FLOP/s per accelerator, recomputation included", flops_per_second,
        Follows::rate, "published.hardware_flops_per_second_per_accelerator.predicted", hardware_rate},
    Row{"days", "run time in days", number, Follows::step, "run.days", [](const Result &r) { return r.run.days; }},
    Row{"accelerator_hours", "accelerator-hours", number, Follows::step, "run.accelerator_hours",
        [](const Result &r) { return r.run.accelerator_hours; }},
    Row{"peak_bytes", "peak memory", bytes, Follows::memory, "", [](const Result &r) { return r.memory.peak_bytes; }},
    Row{"weights_bytes", "weights", bytes, Follows::nothing, "",
        [](const Result &r) { return peak_stage(r).weights_bytes; }},
    Row{"gradients_bytes", "gradients", bytes, Follows::nothing, "",
        [](const Result &r) { return peak_stage(r).gradients_bytes; }},
    Row{"optimizer_bytes", "optimizer states", bytes, Follows::nothing, "",
        [](const Result &r) { return peak_stage(r).optimizer_bytes; }},
    Row{"activations_bytes", "activations", bytes, Follows::nothing, "",
        [](const Result &r) { return peak_stage(r).activations_bytes; }},
    Row{"utilisation", "compute utilization of a site", share, Follows::nothing, "outer.utilisation",
        [](const Result &r) { return r.outer ? r.outer->utilisation : 1; }},
    Row{"stall_seconds_per_round", "stall time per round", seconds, Follows::nothing, "outer.stall_seconds_per_round",
        [](const Result &r) { return r.outer ? r.outer->stall_seconds_per_round : 0; }},
};

/// Chooses the prediction to compare: MFU by the publication's FLOP convention; peak memory as it was measured; model
/// states of the stage with peak memory.
void choose(const Result &result, PublishedComparison &comparison) {
    const PublishedRun &published = result.plan.published;
    if (comparison.figure == "mfu") {
        constexpr std::array paths{"step.mfu", "step.mfu_full_attention", "step.mfu_6nd"};
        const std::array values{result.step.mfu, result.step.mfu_full_attention, result.step.mfu_6nd};
        const auto convention = static_cast<std::size_t>(published.mfu_convention);
        comparison.path = paths[convention];
        comparison.predicted = values[convention];
    } else if (comparison.figure == "peak_bytes") {
        const bool reserved = published.memory_kind == PublishedMemory::reserved;
        comparison.path = reserved ? "memory.reserved_bytes" : "memory.peak_bytes";
        comparison.predicted = reserved ? result.memory.reserved_bytes : result.memory.peak_bytes;
    } else if (comparison.path.empty()) {
        comparison.path = fmt::format("memory.stages.{}.{}", result.memory.peak_stage, comparison.figure);
    }
}

void set_interval(const Result &result, Follows follows, PublishedComparison &comparison) {
    const Step &step = result.step;
    const Memory &memory = result.memory;
    if ((follows == Follows::step || follows == Follows::rate) && step.low_seconds > 0) {
        const double slower = step.high_seconds / step.seconds;
        const double faster = step.low_seconds / step.seconds;
        comparison.low = follows == Follows::step ? comparison.predicted * faster : comparison.predicted / slower;
        comparison.high = follows == Follows::step ? comparison.predicted * slower : comparison.predicted / faster;
    } else if (follows == Follows::memory && memory.low_bytes > 0) {
        const bool reserved = result.plan.published.memory_kind == PublishedMemory::reserved;
        comparison.low = reserved ? memory.reserved_low_bytes : memory.low_bytes;
        comparison.high = reserved ? memory.reserved_high_bytes : memory.high_bytes;
    }
}

} // namespace

std::vector<PublishedComparison> published_comparisons(const Result &result) {
    std::vector<PublishedComparison> comparisons;
    const PublishedRun &published = result.plan.published;
    if (published.figures.empty())
        return comparisons;
    for (const Row &row : rows) {
        const auto value = published.figures.find(row.figure);
        const bool of_all_sites = std::string_view(row.figure) == "tokens_per_second" && result.plan.cluster.sites > 1;
        if (value == published.figures.end() || of_all_sites)
            continue;
        PublishedComparison comparison{.figure = row.figure,
                                       .title = row.title,
                                       .quantity = row.quantity,
                                       .value = value->second,
                                       .predicted = row.predicted(result),
                                       .path = row.path,
                                       .low = {},
                                       .high = {},
                                       .source = published.source};
        choose(result, comparison);
        set_interval(result, row.follows, comparison);
        comparisons.push_back(std::move(comparison));
    }
    return comparisons;
}

} // namespace meshwright
