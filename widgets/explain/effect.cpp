// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/effect.h"

#include "explain/derivation_text.h"
#include "explain/figure_axis.h"
#include "explain/simulation_values.h"
#include "formulas/expression.h"
#include "formulas/formula.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr double reach = 4;
constexpr int points = 65;
constexpr int pointsOfSimulations = 17; ///< fewer points than usual, because each one runs the simulation

/// Value of a node's formula with one input replaced.
std::optional<double> valueWith(const Derivation &node, const Derivation &input, double value) {
    return valueOver(node, [&](std::string_view name) -> std::optional<double> {
        const Derivation *const found = node.find(name);
        if (found == nullptr)
            return std::nullopt;
        return found == &input ? value : found->value;
    });
}

constexpr std::size_t maxInputs = 200;

struct InnerInput {
    const Derivation *node;
    QStringList path; ///< node names from the figure down
};

void collectInputs(const Derivation &node, const QStringList &path, std::vector<InnerInput> &inputs) {
    for (const Derivation &input : node.inputs) {
        const QStringList place = path + QStringList(QString::fromStdString(input.name));
        if (isComputed(input))
            collectInputs(input, place, inputs);
        else if (std::none_of(inputs.begin(), inputs.end(),
                              [&](const InnerInput &known) { return isSameInput(*known.node, input); }))
            inputs.push_back({&input, place});
        if (inputs.size() > maxInputs)
            return;
    }
}

/// Value of a node if an input has another value everywhere below the node.
std::optional<double> valueOf(const Derivation &node, const Derivation &changed, double value) {
    if (!isComputed(node))
        return isSameInput(node, changed) ? value : node.value;
    return valueOver(node, [&](std::string_view name) {
        const Derivation *const found = node.find(name);
        return found == nullptr ? std::nullopt : valueOf(*found, changed, value);
    });
}

} // namespace

bool isWhole(const Derivation &node) {
    return node.quantity == Quantity::count && node.value >= 1 && node.value == std::floor(node.value);
}

double grownValue(const Derivation &node) {
    const double larger = node.value + node.value / 10;
    return isWhole(node) ? std::ceil(larger) : larger;
}

bool isComputed(const Derivation &node) {
    return node.origin != Origin::simulation && !node.inputs.empty();
}

bool isSameInput(const Derivation &a, const Derivation &b) {
    return a.title == b.title && a.value == b.value && a.field == b.field && a.figure == b.figure;
}

std::optional<double> valueOver(const Derivation &node,
                                const std::function<std::optional<double>(std::string_view)> &inputs) {
    if (!node.calculator.empty()) {
        const FormulaResult &result = *find_formula(node.calculator)->find_result(node.result);
        std::vector<double> arguments;
        for (const std::string_view name : result.arguments) {
            const std::optional<double> argument = inputs(name);
            if (!argument)
                return std::nullopt;
            arguments.push_back(*argument);
        }
        const double value = result.function(arguments);
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    }
    const auto lookup = [&](std::string_view name) -> std::optional<Substitution> {
        const std::optional<double> input = inputs(name);
        return input ? std::optional(Substitution{*input, std::string(name)}) : std::nullopt;
    };
    const std::optional<Expression> formula = parse_expression(node.formula);
    const std::optional<Substitution> result = formula ? substituted(*formula, lookup) : std::nullopt;
    return result && std::isfinite(result->value) ? std::optional(result->value) : std::nullopt;
}

std::vector<InnerInfluence> influencesWithin(const Derivation &figure) {
    std::vector<InnerInput> inputs;
    if (isComputed(figure))
        collectInputs(figure, {QString::fromStdString(figure.name)}, inputs);
    std::vector<InnerInfluence> found;
    if (inputs.size() > maxInputs)
        return found;
    for (const auto &[input, path] : inputs) {
        const double larger = grownValue(*input);
        const std::optional<double> after = valueOf(figure, *input, larger);
        constexpr double rounding = 1e-12;
        if (!after || std::abs(*after - figure.value) <= rounding * std::abs(figure.value))
            continue;
        const double change = *after - figure.value;
        found.push_back({{.variation = {.what = input->title,
                                        .pointer = input->field,
                                        .origin = input->origin,
                                        .from = valueTextOf(*input).toStdString(),
                                        .to = text_of(larger, input->quantity)},
                          .before = figure.value,
                          .after = *after,
                          .change = figure.value == 0 ? change : change / std::abs(figure.value)},
                         path});
    }
    std::stable_sort(found.begin(), found.end(), [](const InnerInfluence &a, const InnerInfluence &b) {
        return std::abs(a.influence.change) > std::abs(b.influence.change);
    });
    return found;
}

bool passesSimulation(const NodePath &path) {
    return std::any_of(path.begin(), path.end() - 1,
                       [](const Derivation *node) { return node->origin == Origin::simulation; });
}

Derivation askedWith(const Derivation &node, const Derivation &input, double value) {
    Derivation asked;
    asked.name = node.name;
    asked.value = node.value;
    asked.origin = node.origin;
    asked.formula = node.formula;
    asked.figure = node.figure;
    for (const Derivation &each : node.inputs) {
        Derivation own;
        own.name = each.name;
        own.value = &each == &input ? value : each.value;
        asked.inputs.push_back(std::move(own));
    }
    return asked;
}

std::optional<double> figureWith(const NodePath &path, double value, SimulationValues *simulations) {
    QStringList names;
    for (const Derivation *node : path)
        names << QString::fromStdString(node->name);
    for (std::size_t i = path.size() - 1; i > 0; --i) {
        const Derivation &node = *path[i - 1];
        names.removeLast();
        const std::optional<double> above = node.origin != Origin::simulation ? valueWith(node, *path[i], value)
            : simulations != nullptr ? simulations->valueOf(names, askedWith(node, *path[i], value))
                                     : std::nullopt;
        if (!above)
            return std::nullopt;
        value = *above;
    }
    return value;
}

std::optional<double> effectOfGrowth(const NodePath &path, SimulationValues *simulations) {
    const double figure = path.front()->value;
    const double value = path.back()->value;
    if (path.size() < 2 || value == 0 || figure == 0)
        return std::nullopt;
    const std::optional<double> after = figureWith(path, grownValue(*path.back()), simulations);
    return after ? std::optional((*after - figure) / std::abs(figure)) : std::nullopt;
}

std::optional<ChartView> figureCurve(const NodePath &path, SimulationValues *simulations) {
    const Derivation &figure = *path.front();
    const Derivation &node = *path.back();
    if (path.size() < 2 || !(node.value > 0) || (simulations == nullptr && passesSimulation(path)))
        return std::nullopt;
    ChartView view{.x = axisOf(titleOf(node), node.quantity), .y = axisOf(titleOf(figure), figure.quantity)};
    view.x.scale = AxisScale::Logarithmic;
    view.x.low = node.value / reach;
    view.x.high =
        node.quantity == Quantity::share ? std::max(node.value, std::min(1.0, node.value * reach)) : node.value * reach;
    // Labels the ends like values, not like ticks, because they are not round numbers.
    view.x.tick = view.x.text;
    ChartSeries series;
    double low = figure.value;
    double high = figure.value;
    const int count = passesSimulation(path) ? pointsOfSimulations : points;
    for (int i = 0; i < count; ++i) {
        const double x = view.x.valueAt(static_cast<double>(i) / (count - 1));
        const std::optional<double> y = figureWith(path, x, simulations);
        if (!y)
            return std::nullopt;
        series.points.append({x, *y});
        low = std::min(low, *y);
        high = std::max(high, *y);
    }
    if (!(high > low))
        return std::nullopt;
    fitValues(view.y, low, high, figure.quantity);
    view.series = {series};
    view.marks = {{.at = {node.value, figure.value}}};
    view.description = QStringLiteral("%1, %2").arg(valueTextOf(node), valueTextOf(figure));
    return view;
}

} // namespace meshwright
