// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>
#include <QtGlobal>

namespace meshwright {

/// Maps values to horizontal positions and back; the two directions are inverse up to rounding.
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

/// Ticks 0, step, 2 step … up to `high`, with a step of 1, 2, 2.5 or 5 times a power of ten and at most `most` steps.
QVector<double> niceTicks(double high, int most);

/// `value` with the decimals needed to distinguish ticks `step` apart, and with thousands separators.
QString tickText(double value, double step);

/// The common unit of a chart's values, which are divided by `size`.
struct AxisUnit {
    double size = 1;
    QString name;
};

/// Seconds, milliseconds or microseconds, whichever suits a value of `longest` seconds.
AxisUnit timeUnit(double longest);
/// MB, GB or TB (powers of 1000), whichever suits a value of `largest` bytes.
AxisUnit byteUnit(double largest);

/// `value` with thousands separators and a typographic minus sign (U+2212).
QString fixedText(double value, int decimals);

/// `value` with three to four significant digits: 0.302, 4.56, 149.4, 1,457.
QString figure(double value);

} // namespace meshwright
