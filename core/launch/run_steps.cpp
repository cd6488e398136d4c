// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/run_steps.h"

#include "evaluate/result.h"
#include "quantities/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr double most_steps = 1e15;

std::int64_t rounded(double value) {
    return std::llround(std::clamp(std::isfinite(value) ? value : most_steps, 1.0, most_steps));
}

} // namespace

RunSteps run_steps(const Plan &plan, const Result &result) {
    const auto sites = static_cast<double>(plan.cluster.sites);
    const double tokens =
        static_cast<double>(plan.batch.global_sequences) * static_cast<double>(plan.batch.sequence_length) * sites;
    RunSteps run;
    run.steps = rounded(plan.run.tokens / tokens);
    run.why_steps = fmt::format("{} / ({} sequences x {} tokens{})", text_of(plan.run.tokens, Quantity::tokens),
                                grouped(static_cast<double>(plan.batch.global_sequences)),
                                grouped(static_cast<double>(plan.batch.sequence_length)),
                                plan.cluster.sites > 1 ? fmt::format(" x {} sites", grouped(sites)) : std::string());
    const double step = result.step.seconds;
    const double interval = result.run.checkpoint_interval_seconds;
    if (interval > 0 && std::isfinite(interval) && step > 0 && interval / step < most_steps) {
        run.save_interval = std::min(rounded(interval / step), run.steps);
        run.why_interval = fmt::format("{}{} / {} per step, rounded",
                                       plan.faults.checkpoint_interval_seconds ? "" : "Young's optimum of ",
                                       text_of(interval, Quantity::seconds), text_of(step, Quantity::seconds));
    }
    return run;
}

} // namespace meshwright
