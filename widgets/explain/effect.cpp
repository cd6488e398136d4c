// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/effect.h"

#include "explain/derivation_words.h"
#include "explain/figure_axis.h"
#include "formulas/text_expression.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr double growth = 1.1;
constexpr double reach = 4;
constexpr int points = 65;

/// A node's formula with one input replaced.
std::optional<double> valueWith(const Derivation &node, const Derivation &input, double value) {
    const auto lookup = [&](std::string_view name) -> std::optional<Substitution> {
        const Derivation *found = node.find(name);
        if (found == nullptr)
            return std::nullopt;
        return Substitution{found == &input ? value : found->value, std::string(name)};
    };
    const std::optional<Substitution> result = substituted(node.formula, lookup);
    return result && std::isfinite(result->value) ? std::optional(result->value) : std::nullopt;
}

} // namespace

namespace {

constexpr std::size_t mostInputs = 200;

bool isComputed(const Derivation &node) {
    return node.origin != Origin::procedure && !node.inputs.empty();
}

/// The same input under the same name, wherever it stands.
bool isSame(const Derivation &a, const Derivation &b) {
    return a.title == b.title && a.value == b.value && a.field == b.field && a.figure == b.figure;
}

void collectInputs(const Derivation &node, std::vector<const Derivation *> &inputs) {
    for (const Derivation &input : node.inputs) {
        if (isComputed(input))
            collectInputs(input, inputs);
        else if (std::none_of(inputs.begin(), inputs.end(),
                              [&](const Derivation *known) { return isSame(*known, input); }))
            inputs.push_back(&input);
        if (inputs.size() > mostInputs)
            return;
    }
}

/// What a node comes to where an input has another value at all its places.
std::optional<double> valueOf(const Derivation &node, const Derivation &changed, double value) {
    if (!isComputed(node))
        return isSame(node, changed) ? value : node.value;
    const auto lookup = [&](std::string_view name) -> std::optional<Substitution> {
        const Derivation *const found = node.find(name);
        const std::optional<double> input = found == nullptr ? std::nullopt : valueOf(*found, changed, value);
        return input ? std::optional(Substitution{*input, std::string(name)}) : std::nullopt;
    };
    const std::optional<Substitution> result = substituted(node.formula, lookup);
    return result && std::isfinite(result->value) ? std::optional(result->value) : std::nullopt;
}

} // namespace

std::vector<Influence> influencesWithin(const Derivation &figure) {
    std::vector<const Derivation *> inputs;
    if (isComputed(figure))
        collectInputs(figure, inputs);
    std::vector<Influence> found;
    if (inputs.size() > mostInputs)
        return found;
    for (const Derivation *input : inputs) {
        const double larger = input->value * growth;
        const std::optional<double> after = valueOf(figure, *input, larger);
        constexpr double rounding = 1e-12;
        if (!after || std::abs(*after - figure.value) <= rounding * std::abs(figure.value))
            continue;
        const double change = *after - figure.value;
        found.push_back({.variation = {.what = input->title,
                                       .pointer = input->field,
                                       .origin = input->origin,
                                       .from = valueTextOf(*input).toStdString(),
                                       .to = text_of(larger, input->quantity)},
                         .before = figure.value,
                         .after = *after,
                         .change = figure.value == 0 ? change : change / std::abs(figure.value)});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Influence &a, const Influence &b) { return std::abs(a.change) > std::abs(b.change); });
    return found;
}

std::optional<double> figureWith(const NodePath &path, double value) {
    for (std::size_t i = path.size() - 1; i > 0; --i) {
        const std::optional<double> above = valueWith(*path[i - 1], *path[i], value);
        if (!above)
            return std::nullopt;
        value = *above;
    }
    return value;
}

std::optional<double> effectOfGrowth(const NodePath &path) {
    const double figure = path.front()->value;
    const double value = path.back()->value;
    if (path.size() < 2 || value == 0 || figure == 0)
        return std::nullopt;
    const std::optional<double> after = figureWith(path, value * growth);
    return after ? std::optional((*after - figure) / std::abs(figure)) : std::nullopt;
}

std::optional<LineChartView> figureCurve(const NodePath &path) {
    const Derivation &figure = *path.front();
    const Derivation &node = *path.back();
    if (path.size() < 2 || !(node.value > 0))
        return std::nullopt;
    LineChartView view{.x = axisOf(titleOf(node), node.quantity), .y = axisOf(titleOf(figure), figure.quantity)};
    view.x.scale = AxisScale::Logarithmic;
    view.x.low = node.value / reach;
    view.x.high =
        node.quantity == Quantity::share ? std::max(node.value, std::min(1.0, node.value * reach)) : node.value * reach;
    // Ends as they are read, not as they are divided.
    view.x.tick = view.x.text;
    ChartSeries series;
    double low = figure.value;
    double high = figure.value;
    for (int i = 0; i < points; ++i) {
        const double x = view.x.valueAt(static_cast<double>(i) / (points - 1));
        const std::optional<double> y = figureWith(path, x);
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
