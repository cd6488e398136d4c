// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/figure_axis.h"

#include "figures/figure_text.h"
#include "formulas/special_units.h"
#include "quantities/units.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

/// Ratio of the largest to the smallest value above which the axis is logarithmic.
constexpr double farApart = 500;

bool isPlain(Quantity quantity) {
    return quantity == Quantity::number || quantity == Quantity::count;
}

QString withUnit(double value, Quantity quantity, const std::string &unit) {
    return unit.empty() ? figureText(value, quantity)
                        : plainText(value) + QLatin1Char(' ') + QString::fromStdString(unit);
}

AxisUnit plainUnit(double largest) {
    struct Size {
        double size;
        const char *name;
    };
    for (const Size &each : {Size{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}})
        if (largest >= each.size)
            return {each.size, QLatin1String(each.name)};
    return {};
}

} // namespace

AxisUnit axisUnit(double largest, Quantity quantity, std::string_view unit) {
    const double size = std::abs(largest);
    if (!unit.empty())
        return {1, QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size()))};
    if (quantity == Quantity::share)
        return {0.01, QStringLiteral("%")};
    if (isPlain(quantity))
        return plainUnit(size);
    AxisUnit best;
    for (const Unit &each : units_of(quantity)) {
        const double eachSize = each.factor * std::pow(10.0, each.exponent);
        const bool first = best.name.isEmpty();
        if (each.printed
            && (first || (eachSize <= size && (best.size > size || eachSize > best.size))
                || (best.size > size && eachSize < best.size)))
            best = {eachSize, QString::fromStdString(each.name)};
    }
    return best;
}

ChartAxis axisOf(const QString &title, Quantity quantity, std::string_view unit) {
    const std::string name(unit);
    return {.title = title,
            .text = [quantity, name](double value) { return withUnit(value, quantity, name); },
            .tick =
                [quantity, name](double value) {
                    constexpr double hours = 7200; // seconds; longer times are shown in larger units
                    if (quantity == Quantity::seconds && name.empty() && std::abs(value) >= hours)
                        return figureText(value, quantity);
                    return isPlain(quantity) && name.empty()
                        ? plainText(value)
                        : QString::fromStdString(exact_text_of(value, quantity, name));
                }};
}

void fitValues(ChartAxis &axis, double low, double high, Quantity quantity, std::string_view unit) {
    axis.unit = axisUnit(std::max(std::abs(low), std::abs(high)), quantity, unit);
    if (low > 0 && high > farApart * low) {
        axis.scale = AxisScale::Logarithmic;
        axis.low = low;
        axis.high = high;
    } else {
        spanLinear(axis, low, high);
    }
}

} // namespace meshwright
