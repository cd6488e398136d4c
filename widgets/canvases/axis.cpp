// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/axis.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

qreal LinearScale::toX(double value) const {
    return high > low ? left + (value - low) / (high - low) * (right - left) : left;
}

double LinearScale::toValue(qreal x) const {
    return right > left ? low + (x - left) / (right - left) * (high - low) : low;
}

qreal LogScale::toX(double value) const {
    const double inside = std::max(value, low);
    return high > low ? left + std::log(inside / low) / std::log(high / low) * (right - left) : left;
}

double LogScale::toValue(qreal x) const {
    return right > left ? low * std::pow(high / low, (x - left) / (right - left)) : low;
}

QVector<double> niceTicks(double high, int most) {
    if (!(high > 0) || !std::isfinite(high))
        return {0};
    const double rough = high / std::max(1, most);
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        if (factor * power >= rough * (1 - 1e-9)) {
            step = factor * power;
            break;
        }
    }
    QVector<double> ticks;
    const int count = int(std::floor(high / step * (1 + 1e-9)));
    for (int i = 0; i <= count; ++i)
        ticks.append(i * step);
    return ticks;
}

QString tickText(double value, double step) {
    int decimals = 0;
    while (decimals < 9 && std::abs(step * std::pow(10, decimals) - std::round(step * std::pow(10, decimals))) > 1e-6)
        ++decimals;
    return fixedText(value, decimals);
}

AxisUnit timeUnit(double longest) {
    if (longest >= 1)
        return {1, QStringLiteral("s")};
    return longest >= 1e-3 ? AxisUnit{1e-3, QStringLiteral("ms")} : AxisUnit{1e-6, QStringLiteral("µs")};
}

AxisUnit byteUnit(double largest) {
    if (largest >= 2e12)
        return {1e12, QStringLiteral("TB")};
    return largest >= 1e9 ? AxisUnit{1e9, QStringLiteral("GB")} : AxisUnit{1e6, QStringLiteral("MB")};
}

QString figure(double value) {
    const double size = std::abs(value);
    return fixedText(value, size >= 1000 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

QString fixedText(double value, int decimals) {
    QLocale locale = QLocale::c();
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    return locale.toString(value, 'f', decimals).replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace meshwright
