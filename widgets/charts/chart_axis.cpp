// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_axis.h"

#include "figures/figure_text.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

/// If the values' spread is below this fraction of the largest value, the axis does not start at 0.
constexpr double closeTogether = 0.25;
/// Relative differences below this count as equal values.
constexpr double roundingError = 1e-9;

double niceStep(double span, int most) {
    const QVector<double> ticks = niceTicks(span, most);
    return ticks.size() > 1 ? ticks.at(1) : span;
}

QVector<ChartTick> linearTicks(const ChartAxis &axis, int most) {
    const double size = axis.unit.size;
    const double step = niceStep((axis.high - axis.low) / size, most);
    QVector<ChartTick> ticks;
    const double slack = 1e-9 * step;
    for (double at = std::ceil((axis.low / size - slack) / step); at * step <= axis.high / size + slack; ++at)
        ticks.append(
            {at * step * size, withUnit(tickText(at * step, step), axis.unitOnTicks ? axis.unit.name : QString())});
    return ticks;
}

/// Removes floating-point noise: 4.9999999999999998e-7 becomes 5e-7.
double rounded(double value) {
    return QString::number(value, 'g', 3).toDouble();
}

QString tickOf(const ChartAxis &axis, double value) {
    return axis.tick ? axis.tick(value) : axis.textOf(value);
}

bool within(const ChartAxis &axis, double value) {
    return value >= axis.low * (1 - 1e-9) && value <= axis.high * (1 + 1e-9);
}

QVector<ChartTick> powers(const ChartAxis &axis, double base, int stride) {
    QVector<ChartTick> ticks;
    const int first = static_cast<int>(std::floor(std::log(axis.low) / std::log(base) / stride)) * stride;
    const int last = static_cast<int>(std::ceil(std::log(axis.high) / std::log(base)));
    for (int power = first; power <= last; power += stride)
        if (const double value = base == 10 ? rounded(std::pow(base, power)) : std::pow(base, power);
            within(axis, value))
            ticks.append({value, tickOf(axis, value)});
    return ticks;
}

QVector<ChartTick> logarithmicTicks(const ChartAxis &axis, int most) {
    const double decades = std::log10(axis.high / axis.low);
    if (const double doublings = std::log2(axis.high / axis.low); axis.binary && doublings >= 2 && doublings < 24)
        return powers(axis, 2, std::max(1, static_cast<int>(std::ceil(doublings / most))));
    if (decades >= 2.5)
        return powers(axis, 10, std::max(1, static_cast<int>(std::lround(decades / most))));
    QVector<ChartTick> ticks;
    for (double power = std::pow(10, std::floor(std::log10(axis.low))); power <= axis.high; power *= 10)
        for (const double factor : {1.0, 2.0, 5.0})
            if (const double value = rounded(factor * power); within(axis, value))
                ticks.append({value, tickOf(axis, value)});
    return ticks.size() >= 2
        ? ticks
        : QVector<ChartTick>{{axis.low, axis.textOf(axis.low)}, {axis.high, axis.textOf(axis.high)}};
}

} // namespace

double ChartAxis::shareOf(double value) const {
    if (scale == AxisScale::Linear)
        return high > low ? (value - low) / (high - low) : 0;
    return high > low ? std::log(std::max(value, low * 1e-3) / low) / std::log(high / low) : 0;
}

double ChartAxis::valueAt(double share) const {
    return scale == AxisScale::Linear ? low + share * (high - low) : low * std::pow(high / low, share);
}

QString ChartAxis::textOf(double value) const {
    if (text)
        return text(value);
    const QString number = figure(value / unit.size);
    return withUnit(number, unit.name);
}

QVector<ChartTick> ticksOf(const ChartAxis &axis, int most) {
    if (!(axis.high > axis.low) || !std::isfinite(axis.high) || !std::isfinite(axis.low) || !(axis.unit.size > 0))
        return {};
    if (!axis.ticks.isEmpty())
        return axis.ticks;
    if (axis.scale == AxisScale::Linear)
        return linearTicks(axis, most);
    return axis.low > 0 ? logarithmicTicks(axis, most) : QVector<ChartTick>();
}

void spanLinear(ChartAxis &axis, double low, double high, int most) {
    axis.scale = AxisScale::Linear;
    if (!(high - low > roundingError * std::max(std::abs(low), std::abs(high)))) {
        // If all values are equal, their line is in the middle.
        const double room = low != 0 ? std::abs(low) : 1;
        high = low + room;
        low -= room;
    }
    if (low > 0 && high - low > closeTogether * high)
        low = 0;
    if (high < 0 && high - low > closeTogether * -low)
        high = 0;
    const double size = axis.unit.size;
    const double step = niceStep((high - low) / size, most) * size;
    axis.low = std::floor(low / step + 1e-9) * step;
    axis.high = std::ceil(high / step - 1e-9) * step;
}

} // namespace meshwright
