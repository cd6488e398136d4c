// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/slider_steps.h"

#include "plan/runnable.h"
#include "plan/valid_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array sliders{"tensor", "context", "pipeline", "chunks", "expert", "micro_sequences", "zero_stage"};

std::int64_t value_of(const Plan &plan, std::string_view field) {
    const Parallelism &p = plan.parallelism;
    return field == "tensor"    ? p.tensor
        : field == "context"    ? p.context
        : field == "pipeline"   ? p.pipeline
        : field == "chunks"     ? p.chunks
        : field == "expert"     ? p.expert
        : field == "zero_stage" ? p.zero_stage
                                : plan.batch.micro_sequences;
}

std::vector<std::int64_t> values_of(const Plan &plan, std::string_view field) {
    if (field == "zero_stage")
        return {0, 1, 2, 3};
    if (field == "chunks") {
        std::vector<std::int64_t> values;
        const std::int64_t most = plan.model.layer_count() / std::max<std::int64_t>(1, plan.parallelism.pipeline);
        for (std::int64_t chunks = 1; chunks <= std::max<std::int64_t>(1, most); ++chunks)
            values.push_back(chunks);
        return values;
    }
    if (field == "micro_sequences")
        return divisors(
            std::max<std::int64_t>(1, plan.batch.global_sequences / std::max<std::int64_t>(1, plan.parallelism.data)));
    return divisors(plan.site_accelerators());
}

Change with_expert(const Plan &plan, std::int64_t expert) {
    Change change{.title = fmt::format("expert {}", expert),
                  .patch = Json{{"parallelism", {{"expert", expert}}}}.dump(),
                  .plan = plan};
    change.plan.parallelism.expert = expert;
    return change;
}

std::optional<Change> with_context(const Plan &plan, std::int64_t context) {
    const std::int64_t ranks = plan.parallelism.tensor * plan.parallelism.pipeline * context;
    if (ranks > plan.site_accelerators() || plan.site_accelerators() % ranks != 0)
        return std::nullopt;
    Change change{.title = fmt::format("context {}", context),
                  .patch = Json{{"parallelism", {{"context", context}, {"data", nullptr}}},
                                {"batch", {{"global_sequences", plan.batch.global_sequences}}}}
                               .dump(),
                  .plan = plan};
    change.plan.parallelism.context = context;
    change.plan.parallelism.data = plan.site_accelerators() / ranks;
    return change;
}

/// The nearest valid value above or below the current one.
std::optional<SliderStep> next_step(const Result &result, const char *field, bool up, const std::stop_token &stop) {
    const Plan &plan = result.plan;
    const std::int64_t now = value_of(plan, field);
    std::vector<std::int64_t> values = values_of(plan, field);
    if (!up)
        std::reverse(values.begin(), values.end());
    constexpr int max_tries = 12;
    int tries = 0;
    for (const std::int64_t value : values) {
        if ((up ? value <= now : value >= now) || ++tries > max_tries || stop.stop_requested())
            continue;
        const std::optional<Change> change = with_slider(plan, field, value);
        if (!change)
            continue;
        const Attempt attempt = evaluated_attempt(*change, result);
        if (attempt.valid)
            return SliderStep{.field = field, .from = now, .attempt = attempt, .to = value};
    }
    return std::nullopt;
}

} // namespace

std::optional<Change> with_slider(const Plan &plan, std::string_view field, std::int64_t value) {
    const Parallelism &p = plan.parallelism;
    if (field == "tensor")
        return with_degrees(plan, value, p.pipeline);
    if (field == "pipeline")
        return with_degrees(plan, p.tensor, value);
    if (field == "context")
        return with_context(plan, value);
    if (field == "chunks")
        return p.pipeline > 1 ? std::optional(with_chunks(plan, value)) : std::nullopt;
    if (field == "expert")
        return with_expert(plan, value);
    if (field == "zero_stage")
        return with_zero_stage(plan, value);
    return with_micro(plan, value);
}

Attempt evaluated_attempt(const Change &change, const Result &result) {
    Attempt attempt{.title = change.title, .patch = change.patch};
    const std::optional<EvaluatedChange> evaluated =
        stays_runnable(result.plan, change.plan) ? evaluate_change(change) : std::nullopt;
    attempt.valid = evaluated.has_value();
    if (!evaluated)
        return attempt;
    attempt.fits = evaluated->fits;
    attempt.step_seconds = evaluated->step_seconds;
    attempt.headroom_bytes = evaluated->headroom_bytes;
    attempt.gain = 1 - evaluated->step_seconds / result.step.seconds;
    return attempt;
}

std::vector<SliderStep> slider_steps(const Result &result, const std::stop_token &stop) {
    std::vector<SliderStep> steps;
    for (const char *const field : sliders)
        for (const bool up : {false, true})
            if (std::optional<SliderStep> step = next_step(result, field, up, stop))
                steps.push_back(std::move(*step));
    return steps;
}

} // namespace meshwright
