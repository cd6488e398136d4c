// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/curve_builder.h"
#include "evaluate/curve_sources.h"

#include "formulas/batch_and_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr double published_final_share = 0.1;
constexpr std::size_t smooth = 200;

Arguments warmup_arguments(const CurveContext &context) {
    return {{"base_batch", published_warmup_batch},
            {"base_steps", published_warmup_steps},
            {"batch", context.batch_tokens},
            {"total_steps", std::max(1.0, context.steps)}};
}

/// Warm-up steps at the plan's batch size, at most a tenth of the run.
double warmup_steps(const CurveContext &context) {
    return std::min(value_at("warmup-steps", "steps", warmup_arguments(context)), context.steps / 10);
}

RunCurve schedules(const CurveContext &context) {
    const double warmup = warmup_steps(context);
    const Arguments arguments{{"peak_rate", 1},
                              {"warmup_steps", warmup},
                              {"total_steps", context.steps},
                              {"final_share", published_final_share},
                              {"decay_share", 0.1}};
    RunCurve curve{
        .id = "learning-rate-schedule",
        .title = "Learning rate over the run",
        .x = {"step", Quantity::count, false},
        .y = {"fraction of the peak learning rate", Quantity::share, false},
        .series = {},
        .marks = {{"warm-up ends", MarkKind::event, warmup, 1}},
        .labels = {},
        .note =
            filled("Llama 2's warm-up, scaled to {} steps for the plan's batch size, and its final learning rate, one "
                   "tenth of the peak, arXiv 2307.09288; WSD decays over the last tenth of the run, arXiv 2404.06395.",
                   Sentence{grouped(std::round(warmup)), "curves.schedule_warmup_steps"})};
    // Also samples the ends of warm-up and decay, because the curve has corners there.
    std::vector<double> places = places_between(0, context.steps, smooth, Spacing::linear);
    for (const double corner : {warmup, context.steps * 0.9})
        places.insert(std::upper_bound(places.begin(), places.end(), corner), corner);
    for (const auto &[name, result] :
         {std::pair{"cosine", "cosine_rate"}, std::pair{"linear", "linear_rate"}, std::pair{"WSD", "wsd_rate"}})
        curve.series.push_back(series_of({name, "learning-rate-schedule", result, arguments, "step"}, places));
    return curve;
}

RunCurve scaled_rates(const CurveContext &context) {
    const double batch = context.batch_tokens;
    RunCurve curve{.id = "learning-rate-scaling",
                   .title = "Learning rate vs. batch size",
                   .x = {"tokens per batch", Quantity::tokens, true},
                   .y = {"learning rate / learning rate at the plan's batch size", Quantity::number, true},
                   .series = {},
                   .marks = {{"this plan", MarkKind::own, batch, 1, "curves.batch_tokens"}},
                   .labels = {},
                   .note = "Linear: Goyal et al., arXiv 1706.02677; square root: Krizhevsky, arXiv 1404.5997."};
    for (const auto &[name, rule] : {std::pair{"linear", 0.0}, std::pair{"square root", 1.0}})
        curve.series.push_back(series_of(
            {name, "scaled-learning-rate", "rate", {{"base_rate", 1}, {"base_batch", batch}, {"rule", rule}}, "batch"},
            places_between(batch / 16, batch * 16, 100, Spacing::logarithmic)));
    return curve;
}

RunCurve warmups(const CurveContext &context) {
    const Arguments arguments = warmup_arguments(context);
    return {.id = "warmup-steps",
            .title = "Warm-up vs. batch size",
            .x = {"tokens per batch", Quantity::tokens, true},
            .y = {"warm-up steps", Quantity::count, true},
            .series = {series_of({"steps", "warmup-steps", "steps", arguments, "batch"},
                                 places_between(std::min(context.batch_tokens, published_warmup_batch) / 4,
                                                std::max(context.batch_tokens, published_warmup_batch) * 4, 100,
                                                Spacing::logarithmic))},
            .marks = {{"this plan", MarkKind::own, context.batch_tokens, value_at("warmup-steps", "steps", arguments),
                       "curves.warmup_steps"},
                      {"Llama 2", MarkKind::event, published_warmup_batch, published_warmup_steps}},
            .labels = {},
            .note =
                "Proportional to the batch size, from Llama 2's 2,000 steps of 4 million tokens, arXiv 2307.09288."};
}

RunCurve ramp(const CurveContext &context) {
    const double ramp_tokens = published_ramp_share * context.tokens;
    const Arguments arguments{{"start_batch", published_ramp_start * context.batch_tokens},
                              {"batch", context.batch_tokens},
                              {"ramp_tokens", ramp_tokens}};
    const std::string more =
        grouped(std::round(value_at("batch-ramp", "ramp_steps", arguments) - ramp_tokens / context.batch_tokens));
    return {.id = "batch-ramp",
            .title = "Batch size ramp",
            .x = {"tokens trained", Quantity::tokens, false},
            .y = {"tokens per batch", Quantity::tokens, false},
            .series = {series_of({"batch", "batch-ramp", "batch_now", arguments, "tokens"},
                                 places_between(0, 2 * ramp_tokens, 101, Spacing::linear))},
            .marks = {{"this plan", MarkKind::own, ramp_tokens, context.batch_tokens, "curves.ramp_tokens"}},
            .labels = {},
            .note = filled("As for GPT-3, arXiv 2005.14165: the batch grows from 1% of its final size over the first "
                           "4% of the run, which adds {} steps.",
                           Sentence{more, "curves.ramp_more_steps"})};
}

/// Communication as a fraction of step time, by number of microbatches over which it is amortized.
RunCurve accumulation(const CurveContext &context) {
    const Pipeline &pipeline = context.result.pipeline;
    const auto own = static_cast<double>(context.plan.microbatches());
    Arguments arguments{{"micro_batch_seconds", pipeline.forward_seconds + pipeline.backward_seconds},
                        {"all_reduce_seconds", context.result.step.term(StepTerm::data)}};
    Arguments here = arguments;
    here["accumulation_steps"] = own;
    return {.id = "gradient-accumulation",
            .title = "Communication vs. gradient accumulation",
            .x = {"microbatches per step", Quantity::count, true},
            .y = {"communication as a fraction of the step", Quantity::share, false},
            .series = {series_of({"exposed data-parallel communication", "accumulated-step", "communication_fraction",
                                  std::move(arguments), "accumulation_steps"},
                                 places_between(1, std::max(64.0, own * 8), 100, Spacing::logarithmic))},
            .marks = {{"this plan", MarkKind::own, own, value_at("accumulated-step", "communication_fraction", here),
                       "curves.communication_fraction"}},
            .labels = {},
            .note = "The microbatch time is that of the busiest rank, without bubbles; the communication per step is "
                    "this plan's."};
}

} // namespace

CurveContext::CurveContext(const Result &shown)
    : result(shown)
    , plan(shown.plan)
    , parameters(shown.parameters.active)
    , tokens(shown.run.tokens)
    , steps(std::max(1.0, shown.run.steps)) {
    const bool alone = plan.outer.method == OuterMethod::diloco || plan.outer.method == OuterMethod::streaming_diloco;
    const double sites = alone ? 1 : static_cast<double>(plan.cluster.sites);
    batch_sequences = static_cast<double>(plan.batch.global_sequences) * sites;
    batch_tokens = formula::tokens_per_batch(batch_sequences, static_cast<double>(plan.batch.sequence_length));
}

CurveSeries series_of(SeriesWanted wanted, std::vector<double> places) {
    const Formula &formula = *find_formula(wanted.formula);
    std::vector<double> values =
        sampled(formula, *formula.find_result(wanted.result), wanted.arguments, wanted.symbol, places);
    return {.name = std::move(wanted.name),
            .formula = std::string(wanted.formula),
            .result = std::string(wanted.result),
            .arguments = std::move(wanted.arguments),
            .x = std::move(places),
            .y = std::move(values)};
}

double value_at(std::string_view id, std::string_view name, const Arguments &arguments) {
    const Formula &formula = *find_formula(id);
    const FormulaResult &result = *formula.find_result(name);
    const std::string_view first = result.arguments.front();
    const double place =
        arguments.contains(first) ? arguments.find(first)->second : formula.find_symbol(first)->otherwise.value_or(0);
    return sampled(formula, result, arguments, first, {&place, 1}).front();
}

std::vector<RunCurve> learning_curves(const CurveContext &context) {
    std::vector<RunCurve> curves{schedules(context), scaled_rates(context), warmups(context), ramp(context)};
    if (context.result.step.term(StepTerm::data) > 0)
        curves.push_back(accumulation(context));
    return curves;
}

} // namespace meshwright
