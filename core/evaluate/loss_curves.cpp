// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/curve_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

struct Law {
    const char *name;
    double place; ///< among the choices of compute-optimal
};
constexpr Law fits[] = {{"Hoffmann", 0}, {"Besiroglu", 1}};
constexpr Law llama3{"Llama 3", 2};
constexpr const Law &preferred = fits[1]; ///< agrees with the paper's other methods
constexpr double flops_each = 6;

double loss_of(double parameters, double tokens, const Law &law) {
    return value_at("predicted-loss", "loss", {{"parameters", parameters}, {"tokens", tokens}, {"law", law.place}});
}

/// Loss of the plan's model over the tokens that it is trained on.
RunCurve loss_over_tokens(const CurveContext &context) {
    RunCurve curve{
        .id = "predicted-loss",
        .title = "Predicted loss of this model",
        .x = {"tokens of the run", Quantity::tokens, true},
        .y = {"loss, nats a token", Quantity::number, false},
        .series = {},
        .marks = {{"this plan", MarkKind::own, context.tokens, loss_of(context.parameters, context.tokens, preferred)}},
        .labels = {},
        .note = fmt::format(
            "Hoffmann and others, arXiv 2203.15556; Besiroglu and others, arXiv 2404.10102. "
            "{} times the tokens of 20 a parameter. Compare losses with each other, not with "
            "another run's.",
            text_of(value_at("overtraining", "times", {{"parameters", context.parameters}, {"tokens", context.tokens}}),
                    Quantity::number))};
    for (const Law &law : fits)
        curve.series.push_back(series_of(
            {law.name, "predicted-loss", "loss", {{"parameters", context.parameters}, {"law", law.place}}, "tokens"},
            places_between(context.tokens / 30, context.tokens * 30, 150, Spacing::logarithmic)));
    return curve;
}

/// Models of all sizes that the plan's computation trains: left of the optimum over-trained, right of it too large.
RunCurve loss_over_parameters(const CurveContext &context) {
    const double flops =
        value_at("training-flops", "flops", {{"parameters", context.parameters}, {"tokens", context.tokens}});
    const auto tokens_for = [&](double parameters) { return flops / (flops_each * parameters); };
    RunCurve curve{.id = "compute-optimal",
                   .title = "Models of the same computation",
                   .x = {"parameters that a token passes", Quantity::parameters, true},
                   .y = {"loss, nats a token", Quantity::number, false},
                   .series = {},
                   .marks = {{"this plan", MarkKind::own, context.parameters,
                              loss_of(context.parameters, context.tokens, preferred)}},
                   .labels = {},
                   .note =
                       fmt::format("All with {}. Left of an optimum a model is over-trained: cheaper to use "
                                   "afterwards. Llama 3's law gives tokens only, arXiv 2407.21783; its loss here is "
                                   "Besiroglu's.",
                                   text_of(flops, Quantity::flops))};
    const auto optimum = [&](const Law &law) {
        return value_at("compute-optimal", "parameters", {{"flops", flops}, {"law", law.place}});
    };
    double low = context.parameters;
    double high = context.parameters;
    for (const Law &law : {fits[0], fits[1], llama3}) {
        low = std::min(low, optimum(law));
        high = std::max(high, optimum(law));
    }
    const std::vector<double> places = places_between(low / 10, high * 10, 150, Spacing::logarithmic);
    for (const Law &law : fits) {
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
                               value_at("compute-optimal", "loss", {{"flops", flops}, {"law", law.place}})});
    }
    const double published = optimum(llama3);
    curve.marks.push_back(
        {llama3.name, MarkKind::optimum, published, loss_of(published, tokens_for(published), preferred)});
    return curve;
}

/// Steps and examples to the same loss against the batch, both over their least.
RunCurve critical_batch(const CurveContext &context) {
    const double loss = loss_of(context.parameters, context.tokens, preferred);
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
            .title = "Steps and tokens to the same loss",
            .x = {"tokens of a batch", Quantity::tokens, true},
            .y = {"times the least", Quantity::number, true},
            .series = {series_of({"steps", "critical-batch", "steps", of_steps, "batch"}, places),
                       series_of({"tokens", "critical-batch", "examples", of_examples, "batch"}, places)},
            .marks = {{"critical batch", MarkKind::optimum, critical, 2},
                      {"this plan", MarkKind::own, own, value_at("critical-batch", "steps", here)}},
            .labels = {},
            .note =
                fmt::format("McCandlish and others, arXiv 1812.06162; critical batch at a loss of {:.2f}: Kaplan and "
                            "others, arXiv 2001.08361.",
                            loss)};
}

} // namespace

std::vector<RunCurve> loss_curves(const CurveContext &context) {
    if (context.tokens <= 0 || context.parameters <= 0)
        return {};
    return {loss_over_tokens(context), loss_over_parameters(context), critical_batch(context)};
}

} // namespace meshwright
