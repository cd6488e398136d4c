// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/curve_builder.h"
#include "evaluate/curve_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

double loss_of(double parameters, double tokens, const NamedLaw &law) {
    return value_at("predicted-loss", "loss", {{"parameters", parameters}, {"tokens", tokens}, {"law", law.place}});
}

RunCurve loss_over_tokens(const CurveContext &context) {
    const std::string times =
        text_of(value_at("overtraining", "times", {{"parameters", context.parameters}, {"tokens", context.tokens}}),
                Quantity::number);
    RunCurve curve{
        .id = "predicted-loss",
        .title = "Predicted loss of this model",
        .x = {"tokens of the run", Quantity::tokens, true},
        .y = {"loss, nats per token", Quantity::number, false},
        .series = {},
        .marks = {{"this plan", MarkKind::own, context.tokens,
                   loss_of(context.parameters, context.tokens, preferred_law), "curves.loss"}},
        .labels = {},
        .note = filled(
            "Hoffmann et al., arXiv 2203.15556; Besiroglu et al., arXiv 2404.10102. The run has {} times the usual 20 "
            "tokens per parameter. Compare these losses only with each other, not with another run's.",
            Sentence{times, "curves.overtraining"})};
    for (const NamedLaw &law : loss_laws_shown)
        curve.series.push_back(series_of(
            {law.name, "predicted-loss", "loss", {{"parameters", context.parameters}, {"law", law.place}}, "tokens"},
            places_between(context.tokens / 30, context.tokens * 30, 150, Spacing::logarithmic)));
    return curve;
}

/// Loss of models of all sizes trained with the plan's compute. Models left of the optimum are overtrained; models
/// right of it are too large.
RunCurve loss_over_parameters(const CurveContext &context) {
    const double flops =
        value_at("training-flops", "flops", {{"parameters", context.parameters}, {"tokens", context.tokens}});
    const auto tokens_for = [&](double parameters) { return flops / (flops_per_parameter_and_token * parameters); };
    RunCurve curve{
        .id = "compute-optimal",
        .title = "Models with the same training compute",
        .x = {"active parameters per token", Quantity::parameters, true},
        .y = {"loss, nats per token", Quantity::number, false},
        .series = {},
        .marks = {{"this plan", MarkKind::own, context.parameters,
                   loss_of(context.parameters, context.tokens, preferred_law), "curves.loss"}},
        .labels = {},
        .note = filled(
            "All models are trained with {}. Models left of the optimum are overtrained, which makes inference "
            "cheaper. Llama 3's law, arXiv 2407.21783, predicts only the number of tokens; its loss here is from "
            "Besiroglu's law.",
            Sentence{text_of(flops, Quantity::flops), "curves.flops"})};
    const auto optimum = [&](const NamedLaw &law) {
        return value_at("compute-optimal", "parameters", {{"flops", flops}, {"law", law.place}});
    };
    double low = context.parameters;
    double high = context.parameters;
    for (const NamedLaw &law : {loss_laws_shown[0], loss_laws_shown[1], llama3_law}) {
        low = std::min(low, optimum(law));
        high = std::max(high, optimum(law));
    }
    const std::vector<double> places = places_between(low / 10, high * 10, 150, Spacing::logarithmic);
    for (const NamedLaw &law : loss_laws_shown) {
        CurveSeries series{.name = law.name,
                           .formula = "predicted-loss",
                           .result = "loss",
                           .arguments = {{"law", law.place}},
                           .x = places,
                           .y = {}};
        for (const double parameters : places)
            series.y.push_back(loss_of(parameters, tokens_for(parameters), law));
        curve.series.push_back(std::move(series));
        curve.marks.push_back({law.name, MarkKind::optimum, optimum(law),
                               value_at("compute-optimal", "loss", {{"flops", flops}, {"law", law.place}}),
                               fmt::format("curves.optimal_{}", law.name)});
    }
    const double published = optimum(llama3_law);
    curve.marks.push_back({llama3_law.name, MarkKind::optimum, published,
                           loss_of(published, tokens_for(published), preferred_law),
                           fmt::format("curves.optimal_{}", llama3_law.name)});
    return curve;
}

/// Steps and examples needed to reach the same loss, as a function of batch size. Both are relative to their minimum.
RunCurve critical_batch(const CurveContext &context) {
    const double loss = loss_of(context.parameters, context.tokens, preferred_law);
    const double critical = value_at("critical-batch-at-loss", "tokens", {{"loss", loss}});
    const double own = context.batch_tokens;
    const double low = std::min(own, critical) / 20;
    const double high = std::max(own, critical) * 20;
    const std::vector<double> places = places_between(low, high, 150, Spacing::logarithmic);
    const Arguments of_steps{{"least_steps", 1}, {"critical_batch", critical}};
    const Arguments of_examples{{"least_steps", 1 / critical}, {"critical_batch", critical}};
    Arguments here = of_steps;
    here["batch"] = own;
    return {.id = "critical-batch",
            .title = "Steps and tokens to reach the same loss",
            .x = {"tokens per batch", Quantity::tokens, true},
            .y = {"steps and tokens, each relative to its minimum", Quantity::number, true},
            .series = {series_of({"steps", "critical-batch", "steps", of_steps, "batch"}, places),
                       series_of({"tokens", "critical-batch", "examples", of_examples, "batch"}, places)},
            .marks = {{"critical batch size", MarkKind::optimum, critical, 2, "curves.critical_batch"},
                      {"this plan", MarkKind::own, own, value_at("critical-batch", "steps", here),
                       "curves.critical_steps"}},
            .labels = {},
            .note = filled("McCandlish et al., arXiv 1812.06162; critical batch size at a loss of {}: Kaplan et al., "
                           "arXiv 2001.08361.",
                           Sentence{fmt::format("{:.2f}", loss), "curves.loss"})};
}

} // namespace

std::vector<RunCurve> loss_curves(const CurveContext &context) {
    if (context.tokens <= 0 || context.parameters <= 0)
        return {};
    return {loss_over_tokens(context), loss_over_parameters(context), critical_batch(context)};
}

} // namespace meshwright
