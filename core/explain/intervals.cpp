// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evidence_of_result.h"
#include "explain/context.h"

#include <fmt/format.h>

#include <tuple>

namespace meshwright {

namespace {

/// One end of the interval of a figure that is proportional to step time.
Derivation with_the_step(const ExplainContext &context, Labelled what, const char *figure, double value,
                         const char *end) {
    const Step &step = context.result.step;
    const double seconds = std::string_view(end) == "low" ? step.low_seconds : step.high_seconds;
    const Quantity quantity = what.quantity;
    return derived(
        std::move(what), value * seconds / step.seconds, "estimate * step_end / step_seconds",
        "proportional to step time",
        {reference_to(figure, {"estimate", "estimate", quantity}, value),
         reference_to(fmt::format("step_{}_seconds", end),
                      {"step_end", fmt::format("{} end of the step time interval", end), Quantity::seconds}, seconds),
         named("step_seconds", context.step_seconds_reference())});
}

Derivation headroom(const ExplainContext &context, const char *end, const char *peak, double bytes) {
    const double capacity = context.result.memory.capacity_bytes;
    return by_formula(
        {fmt::format("verdict_{}_headroom_bytes", end), fmt::format("{} end of the memory headroom interval", end),
         Quantity::bytes},
        "headroom", "bytes",
        {reference_to("memory_capacity_bytes", {"capacity_bytes", "memory capacity of an accelerator", Quantity::bytes},
                      capacity),
         reference_to(peak, {"peak_bytes", "opposite end of the peak memory interval", Quantity::bytes}, bytes)});
}

Derivation probability(const ExplainContext &context) {
    const Memory &memory = context.result.memory;
    const bool below = memory.capacity_bytes < memory.peak_bytes;
    return by_formula(
        {"verdict_fit_probability", "probability that the plan fits", Quantity::share}, "fit-probability",
        "probability",
        {reference_to("memory_capacity_bytes", {"capacity_bytes", "memory capacity of an accelerator", Quantity::bytes},
                      memory.capacity_bytes),
         reference_to("memory_peak_bytes", {"peak_bytes", "predicted peak memory", Quantity::bytes}, memory.peak_bytes),
         reference_to(below ? "memory_low_bytes" : "memory_high_bytes",
                      {"end_bytes", "whichever bound of the peak-memory interval is closer to the memory capacity",
                       Quantity::bytes},
                      below ? memory.low_bytes : memory.high_bytes)});
}

} // namespace

std::vector<Derivation> explain_intervals(const ExplainContext &context) {
    const Result &result = context.result;
    std::vector<Derivation> figures;
    if (result.step.low_seconds > 0)
        for (const char *const end : {"low", "high"}) {
            figures.push_back(with_the_step(context,
                                            {fmt::format("run_{}_seconds", end),
                                             fmt::format("{} end of the run time interval", end), Quantity::seconds},
                                            "run_seconds", result.run.seconds, end));
            figures.push_back(with_the_step(context,
                                            {fmt::format("run_{}_rental_dollars", end),
                                             fmt::format("{} end of the rental cost interval", end), Quantity::dollars},
                                            "run_rental_dollars", result.run.rental_dollars, end));
        }
    if (result.memory.low_bytes > 0) {
        figures.push_back(headroom(context, "low", "memory_high_bytes", result.memory.high_bytes));
        figures.push_back(headroom(context, "high", "memory_low_bytes", result.memory.low_bytes));
        if (fit_probability(result))
            figures.push_back(probability(context));
    }
    return figures;
}

} // namespace meshwright
