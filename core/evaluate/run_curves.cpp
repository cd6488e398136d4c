// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/run_curves.h"

#include "evaluate/curve_builder.h"
#include "evaluate/curve_sources.h"
#include "formulas/float_formats.h"
#include "run/run_model.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace meshwright {

namespace {

Arguments fault_arguments(const CurveContext &context, const Goodput &good) {
    return {{"mtbf_seconds", good.mtbf_seconds},
            {"write_seconds", good.write_seconds},
            {"recovery_seconds", context.plan.faults.recovery_seconds}};
}

RunCurve checkpoint_waste(const CurveContext &context, const Goodput &good) {
    const Arguments arguments = fault_arguments(context, good);
    const auto waste_at = [&](double interval) {
        Arguments here = arguments;
        here["interval_seconds"] = interval;
        return value_at("checkpoint-waste", "waste_fraction", here);
    };
    const double own = good.checkpoint_interval_seconds;
    std::vector<CurveMark> marks{{"this plan", MarkKind::own, own, waste_at(own), "curves.waste"}};
    double low = own;
    double high = own;
    if (good.write_seconds > 0) { // if writing does not stop training, the optimal interval is 0
        const double young = value_at("checkpoint-interval", "young_seconds", arguments);
        const double daly = value_at("checkpoint-interval", "daly_seconds", arguments);
        low = std::min({young, daly, own});
        high = std::max({young, daly, own});
        marks.insert(marks.begin(),
                     {{"Young", MarkKind::optimum, young, waste_at(young), "curves.waste_young"},
                      {"Daly", MarkKind::optimum, daly, waste_at(daly), "curves.waste_daly"}});
    }
    return {.id = "checkpoint-waste",
            .title = "Waste vs. checkpoint interval",
            .x = {"time between checkpoints", Quantity::seconds, true},
            .y = {"time lost per second of training", Quantity::share, true},
            .series = {series_of({"waste", "checkpoint-waste", "waste_fraction", arguments, "interval_seconds"},
                                 places_between(low / 30, high * 30, 200, Spacing::logarithmic))},
            .marks = std::move(marks),
            .labels = {},
            .note = filled("A checkpoint write stops training for {}; failures stop it every {} on average.",
                           Sentence{text_of(good.write_seconds, Quantity::seconds), "curves.write_seconds"},
                           Sentence{text_of(good.mtbf_seconds, Quantity::seconds), "curves.mtbf_seconds"})};
}

RunCurve failure_cost(const CurveContext &context, const Goodput &good) {
    const Arguments arguments{{"accelerators", good.stopping_accelerators},
                              {"price_per_hour", context.plan.run.rental_dollars_per_accelerator_hour},
                              {"recovery_seconds", context.plan.faults.recovery_seconds}};
    const double own = good.checkpoint_interval_seconds;
    Arguments here = arguments;
    here["interval_seconds"] = own;
    return {
        .id = "failure-cost",
        .title = "Cost of one failure",
        .x = {"time between checkpoints", Quantity::seconds, true},
        .y = {"rental cost of the lost time", Quantity::dollars, true},
        .series = {series_of({"one failure", "failure-cost", "dollars", arguments, "interval_seconds"},
                             places_between(own / 30, own * 30, 200, Spacing::logarithmic))},
        .marks = {{"this plan", MarkKind::own, own, value_at("failure-cost", "dollars", here), "curves.failure_cost"}},
        .labels = {},
        .note =
            filled("One failure stops {} accelerators; expect {} failures during the run.",
                   Sentence{grouped(good.stopping_accelerators), "curves.stopping_accelerators"},
                   Sentence{text_of(context.result.run.expected_failures, Quantity::number), "run.expected_failures"})};
}

RunCurve format_ranges(const CurveContext &context) {
    RunCurve curve{.id = "float-formats",
                   .title = "Ranges of number formats",
                   .x = {"format", Quantity::number, false},
                   .y = {"magnitude", Quantity::number, true},
                   .series = {},
                   .marks = {},
                   .labels = {},
                   .note =
                       "IEEE 754-2019; FP8 from arXiv 2209.05433; OCP Microscaling formats 1.0, without block scales."};
    for (const NamedFormat &format : named_formats)
        curve.labels.emplace_back(format.name);
    for (const auto &[name, result] :
         {std::pair{"largest", "largest"}, std::pair{"smallest normal", "smallest_normal"},
          std::pair{"smallest", "smallest_subnormal"}, std::pair{"spacing at 1", "epsilon"}}) {
        CurveSeries series{
            .name = name, .formula = "float-format", .result = result, .arguments = {}, .x = {}, .y = {}};
        for (const NamedFormat &format : named_formats) {
            series.x.push_back(static_cast<double>(series.x.size()));
            series.y.push_back(value_at("float-format", result,
                                        {{"exponent_bits", format.exponent_bits},
                                         {"mantissa_bits", format.mantissa_bits},
                                         {"finite_only", format.finite_only},
                                         {"all_finite", format.all_finite}}));
        }
        curve.series.push_back(std::move(series));
    }
    if (const auto own = place_of_format(context.plan.precision.compute))
        curve.marks.push_back(
            {"this plan", MarkKind::own, static_cast<double>(*own), curve.series.front().y[*own], "curves.largest"});
    return curve;
}

/// Whether the plan's own compute format needs loss scaling.
std::string scaling_of_own_format(const Plan &plan) {
    const std::optional<std::size_t> own = place_of_format(plan.precision.compute);
    if (!own)
        return "";
    const NamedFormat &format = named_formats[*own];
    return plan.precision.compute == DataType::fp16 ? " This plan computes in FP16."
        : format.exponent_bits >= 8
        ? fmt::format(" This plan computes in {}, which has the range of FP32 and needs no loss scaling.", format.name)
        : fmt::format(" This plan computes in {}, whose tensors have their own scaling factors.", format.name);
}

/// A trace of dynamic loss scaling in the run's first steps. The scale grows, drops whenever gradients overflow FP16,
/// and grows again.
RunCurve loss_scale_trace(const CurveContext &context) {
    constexpr double initial = 65536;
    constexpr double growth_interval = 2000;
    constexpr double factor = 2;
    constexpr double largest_gradient = 0.3;
    constexpr double max_steps = 6 * growth_interval;
    const double last = std::min(max_steps, std::max(1.0, std::floor(context.steps)));
    const double workable = formula::largest_finite(5, 10, 0, 0) / largest_gradient;
    CurveSeries trace{.name = "scale",
                      .formula = "loss-scale",
                      .result = "scale",
                      .arguments = {{"initial", initial}, {"growth_interval", growth_interval}, {"factor", factor}},
                      .x = {0},
                      .y = {initial}};
    RunCurve curve{
        .id = "loss-scale",
        .title = "Dynamic loss scaling",
        .x = {"step", Quantity::count, false},
        .y = {"loss scale", Quantity::number, true},
        .series = {},
        .marks = {},
        .labels = {},
        .note =
            filled("The first {} of the run's {}, if computed in FP16. Assumed: the largest gradient is {}, so "
                   "loss scales above {} overflow; initial scale, factor and interval as in PyTorch's GradScaler.{}",
                   grouped(last), Sentence{grouped(context.steps) + " steps", "run.steps"}, largest_gradient,
                   grouped(std::floor(workable)), scaling_of_own_format(context.plan))};
    const std::vector<double> overflow{1};
    for (double step = 0; step < last;) {
        // Each change of the scale restarts the count of steps without overflow, so the formula is called once per
        // stretch between changes.
        const double scale = trace.y.back();
        const std::vector<double> good(static_cast<std::size_t>(std::min(growth_interval, last - step)), 0.0);
        const std::vector<double> &stretch = scale > workable ? overflow : good;
        step += static_cast<double>(stretch.size());
        trace.x.push_back(step);
        trace.y.push_back(scale);
        trace.x.push_back(step);
        trace.y.push_back(formula::dynamic_loss_scale(scale, growth_interval, factor, stretch));
        if (scale > workable)
            curve.marks.push_back({"overflow", MarkKind::event, step, scale});
    }
    curve.series.push_back(std::move(trace));
    return curve;
}

} // namespace

std::optional<std::size_t> place_of_format(DataType type) {
    const DataType element = type == DataType::mxfp8 ? DataType::fp8 : type == DataType::mxfp4 ? DataType::nvfp4 : type;
    for (std::size_t i = 0; i < std::size(named_formats); ++i)
        if (element != DataType::none && named_formats[i].type == element)
            return i;
    return std::nullopt;
}

std::vector<RunCurve> number_curves(const CurveContext &context) {
    return {loss_scale_trace(context), format_ranges(context)};
}

std::vector<RunCurve> failure_curves(const CurveContext &context) {
    const Parameters &parameters = context.result.parameters;
    const Goodput good = goodput(context.plan, parameters.total + parameters.mtp);
    std::vector<RunCurve> curves{checkpoint_waste(context, good)};
    if (context.plan.run.rental_dollars_per_accelerator_hour > 0)
        curves.push_back(failure_cost(context, good));
    return curves;
}

std::vector<RunCurve> run_curves(const Result &result) {
    const CurveContext context(result);
    std::vector<RunCurve> curves;
    for (const auto part : {learning_curves, loss_curves, failure_curves, number_curves}) {
        std::vector<RunCurve> some = part(context);
        std::move(some.begin(), some.end(), std::back_inserter(curves));
    }
    return curves;
}

} // namespace meshwright
