// SPDX-License-Identifier: GPL-3.0-or-later
#include "calculators/formula_curve.h"

#include "explain/figure_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshwright {

namespace {

constexpr int points = 121;
/// A curve spans from the current value divided by this factor to the current value times this factor.
constexpr double reach = 32;
/// If the current value is 0, the curve spans from 0 to one of these constants, in the unit of the symbol.
constexpr double reachOfSeconds = 1e-3;
constexpr double reachOfOthers = 10;

void setLinear(ChartAxis &axis, const Symbol &symbol, double low, double high) {
    axis.scale = AxisScale::Linear;
    axis.low = low;
    axis.high = high;
    axis.unit = axisUnit(high, symbol.quantity, symbol.unit);
}

ChartAxis axisAround(const Symbol &symbol, double value) {
    ChartAxis axis = axisOf(capitalised(symbol.meaning), symbol.quantity, symbol.unit);
    const bool isPart = symbol.quantity == Quantity::share || (!symbol.whole && symbol.high <= 1);
    double low = std::max(symbol.low, value / reach);
    double high = std::min(symbol.high, value * reach);
    if (symbol.whole) {
        low = std::max(symbol.low, std::floor(low));
        high = std::ceil(high);
    }
    if (value > 0 && low > 0 && high >= 8 * low && !isPart) {
        axis.scale = AxisScale::Logarithmic;
        axis.low = low;
        axis.high = high;
        axis.binary = symbol.whole && high < 1e6;
    } else if (isPart) {
        setLinear(axis, symbol, symbol.low, symbol.high);
    } else if (value > 0) {
        setLinear(axis, symbol, std::max(symbol.low, 0.0), std::min(symbol.high, 2 * value));
    } else {
        const double wanted = symbol.quantity == Quantity::seconds ? reachOfSeconds : reachOfOthers;
        setLinear(axis, symbol, std::max(symbol.low, value), std::min(symbol.high, value + wanted));
    }
    return axis;
}

/// Values of a result's arguments in order. If an argument is a list, it is the last one, and all its values are
/// appended.
std::vector<double> rowOf(const Calculation &calculation, const FormulaResult &result) {
    std::vector<double> row;
    for (const std::string_view name : result.arguments) {
        if (const auto list = calculation.lists.find(name); list != calculation.lists.end())
            row.insert(row.end(), list->second.begin(), list->second.end());
        else
            row.push_back(calculation.arguments.find(name)->second);
    }
    return row;
}

} // namespace

QString capitalised(std::string_view words) {
    QString text = QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
    const QString first = text.section(QLatin1Char(' '), 0, 0);
    // A word with capitals after its first letter is a name and keeps its case.
    if (!text.isEmpty() && first.mid(1) == first.mid(1).toLower())
        text[0] = text.at(0).toUpper();
    return text;
}

std::vector<const Symbol *> curveSymbols(const Formula &formula, const FormulaResult &result) {
    std::vector<const Symbol *> symbols;
    for (const std::string_view name : result.arguments)
        if (const Symbol *symbol = formula.find_symbol(name);
            symbol != nullptr && symbol->choices.empty() && !symbol->is_list)
            symbols.push_back(symbol);
    return symbols;
}

ChartView formulaCurve(const Calculation &calculation, const Calculation::Value &value, const Symbol &symbol) {
    const FormulaResult &result = *value.result;
    const double present = calculation.arguments.find(symbol.name)->second;
    const auto place =
        std::find(result.arguments.begin(), result.arguments.end(), symbol.name) - result.arguments.begin();
    ChartView view{.x = axisAround(symbol, present),
                   .y = axisOf(capitalised(result.meaning), result.quantity, result.unit)};
    std::vector<double> row = rowOf(calculation, result);
    std::vector<double> places;
    for (int i = 0; i < points; ++i)
        places.push_back(view.x.valueAt(static_cast<double>(i) / (points - 1)));
    places.push_back(present);
    if (symbol.whole)
        for (double &each : places)
            each = std::round(each);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    ChartSeries series;
    double low = value.value;
    double high = value.value;
    for (const double x : places) {
        row[static_cast<std::size_t>(place)] = x;
        const double y = result.function(row);
        series.points.append({x, std::isfinite(y) ? y : std::numeric_limits<double>::quiet_NaN()});
        low = std::isfinite(y) ? std::min(low, y) : low;
        high = std::isfinite(y) ? std::max(high, y) : high;
    }
    fitValues(view.y, low, high, result.quantity, result.unit);
    view.series = {series};
    view.marks = {{.at = {present, value.value}}};
    view.description = QStringLiteral("%1, %2").arg(view.x.textOf(present), view.y.textOf(value.value));
    return view;
}

} // namespace meshwright
