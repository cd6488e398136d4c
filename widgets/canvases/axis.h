// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>
#include <QtGlobal>

namespace meshwright {

/// Between values and horizontal positions. Both directions are exact inverses up to rounding.
struct LinearScale {
    double low = 0;
    double high = 1;
    qreal left = 0;
    qreal right = 1;

    qreal toX(double value) const;
    double toValue(qreal x) const;
    bool operator==(const LinearScale &) const = default;
};

/// As LinearScale, in the logarithm; low and high are above 0, and values below low are drawn at low.
struct LogScale {
    double low = 1;
    double high = 10;
    qreal left = 0;
    qreal right = 1;

    qreal toX(double value) const;
    double toValue(qreal x) const;
};

/// 0, step, 2 step … up to at most `high`, with a step of 1, 2, 2.5 or 5 times a power of ten and at most `most` steps.
QVector<double> niceTicks(double high, int most);

/// `value` with just the decimals that tell neighbours `step` apart, and thousands separators.
QString tickText(double value, double step);

/// A unit to print many values of one chart in: values are divided by `size`.
struct AxisUnit {
    double size = 1;
    QString name;
};

/// Seconds, milliseconds or microseconds, so that `longest` seconds read well.
AxisUnit timeUnit(double longest);
/// MB, GB or TB (powers of 1000), so that `largest` bytes read well.
AxisUnit byteUnit(double largest);

/// With thousands separators and a true minus sign.
QString fixedText(double value, int decimals);

/// Three to four significant figures: 0.302, 4.56, 149.4, 1,457.
QString figure(double value);

} // namespace meshwright
