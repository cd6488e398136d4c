// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/context.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

std::string figure_name(const PublishedComparison &figure, const char *part) {
    return fmt::format("published_{}_{}", figure.figure, part);
}

Derivation reported(const PublishedComparison &figure, std::string name) {
    return published({std::move(name), fmt::format("{}, published", figure.title), figure.quantity}, figure.value,
                     figure.source);
}

Derivation own_figure(const PublishedComparison &figure, std::string name) {
    std::string own = figure.path;
    std::replace(own.begin(), own.end(), '.', '_');
    return reference_to(std::move(own), {std::move(name), figure.title, figure.quantity}, figure.predicted);
}

/// The prediction to compare with the published value: a figure of the result, or one derived from its figures.
Derivation predicted(const ExplainContext &context, const PublishedComparison &figure, std::string name) {
    const Labelled what{std::move(name), fmt::format("{}, predicted", figure.title), figure.quantity};
    if (figure.figure != "hardware_flops_per_second_per_accelerator")
        return derived(what, figure.predicted, "prediction", "taken from the plan's results",
                       {own_figure(figure, "prediction")});
    return derived(what, figure.predicted, "hardware_flops / (accelerators * seconds)", "definition",
                   {reference_to("flops_hardware_per_step",
                                 {"hardware_flops", "hardware FLOPs per step, recomputation included", Quantity::flops},
                                 context.result.flops.hardware_per_step),
                    context.site_accelerators(), context.step_seconds_reference()});
}

Derivation difference(const ExplainContext &context, const PublishedComparison &figure) {
    return derived({figure_name(figure, "difference"),
                    fmt::format("prediction relative to the published {}", figure.title), Quantity::share},
                   figure.difference(), "predicted / reported - 1", "definition",
                   {predicted(context, figure, "predicted"), reported(figure, "reported")});
}

bool grows_with_step(const PublishedComparison &figure) {
    return figure.figure == "step_seconds" || figure.figure == "days" || figure.figure == "accelerator_hours";
}

/// One end of a figure's interval. A memory figure has the interval of the peak memory. The interval of any other
/// figure follows from that of the step time, to which the figure is proportional or inversely proportional.
Derivation interval_end(const ExplainContext &context, const PublishedComparison &figure, const char *end,
                        double value) {
    const Labelled what{figure_name(figure, end), fmt::format("{} end of the interval of {}", end, figure.title),
                        figure.quantity};
    if (figure.figure == "peak_bytes") {
        const bool reserved = figure.path == "memory.reserved_bytes";
        return derived(what, value, "end_of_peak", "80% interval of the peak memory",
                       {reference_to(fmt::format("memory_{}{}_bytes", reserved ? "reserved_" : "", end),
                                     {"end_of_peak", what.title, figure.quantity}, value)});
    }
    const Step &step = context.result.step;
    const bool grows = grows_with_step(figure);
    const bool low = (std::string_view(end) == "low") == grows;
    return derived(
        what, value, grows ? "predicted * step_end / step_seconds" : "predicted * step_seconds / step_end",
        grows ? "proportional to step time" : "inversely proportional to step time",
        {predicted(context, figure, "predicted"),
         reference_to(low ? "step_low_seconds" : "step_high_seconds",
                      {"step_end", fmt::format("{} end of the step time interval", low ? "low" : "high"), time},
                      low ? step.low_seconds : step.high_seconds),
         named("step_seconds", context.step_seconds_reference())});
}

} // namespace

std::vector<Derivation> explain_published(const ExplainContext &context) {
    std::vector<Derivation> figures;
    for (const PublishedComparison &figure : context.result.published) {
        figures.push_back(reported(figure, figure_name(figure, "value")));
        figures.push_back(predicted(context, figure, figure_name(figure, "predicted")));
        figures.push_back(difference(context, figure));
        if (!figure.low)
            continue;
        figures.push_back(interval_end(context, figure, "low", *figure.low));
        figures.push_back(interval_end(context, figure, "high", *figure.high));
    }
    return figures;
}

} // namespace meshwright
