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
