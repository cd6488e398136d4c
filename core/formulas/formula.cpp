// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/formula.h"

#include "formulas/catalogue.h"
#include "formulas/pipeline.h"
#include "formulas/underflow.h"
#include "formulas/wan.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace meshwright {

namespace {

std::vector<Formula> all_formulas() {
    using namespace catalogue;
    std::vector<Formula> all;
    for (const auto part : {collective_formulas,   overlap_formulas,       memory_formulas,
                            activation_formulas,   pipeline_formulas,      schedule_formulas,
                            tensor_formulas,       batch_formulas,         learning_rate_formulas,
                            compute_formulas,      model_formulas,         checkpoint_formulas,
                            cost_formulas,         float_formulas,         wan_formulas,
                            wire_formulas,         outer_formulas,         diloco_formulas,
                            scaling_formulas,      threshold_formulas,     kernel_formulas,
                            network_formulas,      step_formulas,          rank_memory_formulas,
                            offload_formulas,      figure_formulas,        zero_fit_formulas,
                            batch_stage_formulas,  step_timeline_formulas, dimension_traffic_formulas,
                            failure_loss_formulas, underflow_formulas,     attention_memory_formulas,
                            packing_formulas,      first_step_formulas}) {
        std::vector<Formula> some = part();
        std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    std::sort(all.begin(), all.end(), [](const Formula &a, const Formula &b) {
        return std::tie(a.topic, a.title) < std::tie(b.topic, b.title);
    });
    return all;
}

template <typename Named>
const Named *named(const std::vector<Named> &things, std::string_view name) {
    const auto found =
        std::find_if(things.begin(), things.end(), [&](const Named &thing) { return thing.name == name; });
    return found == things.end() ? nullptr : &*found;
}

} // namespace

Dimensions dimensions_of(Quantity quantity) {
    switch (quantity) {
    case Quantity::bytes:
        return {.bytes = 1};
    case Quantity::seconds:
        return {.seconds = 1};
    case Quantity::bytes_per_second:
    case Quantity::bits_per_second:
        return {.bytes = 1, .seconds = -1};
    case Quantity::flops:
        return {.flops = 1};
    case Quantity::flops_per_second:
        return {.seconds = -1, .flops = 1};
    case Quantity::watts:
        return {.seconds = -1, .joules = 1};
    case Quantity::joules:
        return {.joules = 1};
    case Quantity::dollars:
        return {.dollars = 1};
    case Quantity::dollars_per_hour:
        return {.seconds = -1, .dollars = 1};
    case Quantity::dollars_per_kilowatt_hour:
        return {.dollars = 1, .joules = -1};
    case Quantity::number:
    case Quantity::share:
    case Quantity::count:
    case Quantity::tokens:
    case Quantity::parameters:
        break;
    }
    return {};
}

Dimensions dimensions_of(Quantity quantity, std::string_view unit) {
    if (unit == "1/s")
        return {.seconds = -1};
    if (unit == "FLOP/B")
        return {.bytes = -1, .flops = 1};
    if (unit == "$/GB")
        return {.bytes = -1, .dollars = 1};
    return dimensions_of(quantity);
}

const Symbol *Formula::find_symbol(std::string_view name) const {
    return named(symbols, name);
}

const FormulaResult *Formula::find_result(std::string_view name) const {
    return named(results, name);
}

Expression FormulaResult::expression() const {
    std::vector<Expression> names;
    names.reserve(arguments.size());
    for (const std::string_view argument : arguments)
        names.push_back(Expression::name(argument));
    return formula(names);
}

const std::vector<TextFunction> &text_functions() {
    static const std::vector<TextFunction> functions{
        {"ceil", [](std::span<const double> x) { return std::ceil(x[0]); }, [](double x) { return std::ceil(x); }},
        {"floor", [](std::span<const double> x) { return std::floor(x[0]); }, [](double x) { return std::floor(x); }},
        {"harmonic", [](std::span<const double> x) { return formula::harmonic.call(x); },
         [](double n) { return formula::harmonic(n); }},
        {"binary_entropy", [](std::span<const double> x) { return formula::binary_entropy.call(x); },
         [](double p) { return formula::binary_entropy(p); }},
        {"standard_normal", [](std::span<const double> x) { return formula::standard_normal.call(x); },
         [](double z) { return formula::standard_normal(z); }},
        {"executed_bubble", [](std::span<const double> x) { return formula::executed_bubble.call(x); }, nullptr,
         [](double p, double m, double v) { return formula::executed_bubble(p, m, v); }}};
    return functions;
}

const std::vector<Formula> &formulas() {
    static const std::vector<Formula> all = all_formulas();
    return all;
}

const Formula *find_formula(std::string_view id) {
    const std::vector<Formula> &all = formulas();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Formula &one) { return one.id == id; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace meshwright
