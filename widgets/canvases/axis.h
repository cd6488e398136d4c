// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>
#include <QtGlobal>

namespace meshwright {

/// Maps values to horizontal positions and back. A round trip is exact up to rounding.
struct LinearScale {
    double low = 0;
    double high = 1;
    qreal left = 0;
    qreal right = 1;

    qreal toX(double value) const;
    double toValue(qreal x) const;
    bool operator==(const LinearScale &) const = default;
};

/// A logarithmic LinearScale. `low` and `high` must be positive; values below `low` are drawn at `low`.
struct LogScale {
    double low = 1;
    double high = 10;
    qreal left = 0;
    qreal right = 1;

    qreal toX(double value) const;
    double toValue(qreal x) const;
};

/// Ticks at multiples of a step, from 0 to `high`. The step is 1, 2, 2.5 or 5 times a power of ten, with at most `most`
/// steps.
QVector<double> niceTicks(double high, int most);

/// `value` with thousands separators and enough decimals to tell ticks `step` apart.
QString tickText(double value, double step);

/// Common unit of a chart's values. Values are divided by `size`.
struct AxisUnit {
    double size = 1;
    QString name;
};

/// Seconds, milliseconds or microseconds, whichever suits `longest` seconds.
AxisUnit timeUnit(double longest);
/// MB, GB or TB (powers of 1000), whichever suits `largest` bytes.
AxisUnit byteUnit(double largest);

/// `value` with thousands separators and a typographic minus sign (U+2212).
QString fixedText(double value, int decimals);

/// `value` with three or four significant digits: 0.302, 4.56, 149.4, 1,457.
QString figure(double value);

} // namespace meshwright
