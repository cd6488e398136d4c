// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"

#include <QString>
#include <QVector>

#include <functional>

namespace meshwright {

enum class AxisScale { Linear, Logarithmic };

/// One axis of a chart. On a logarithmic one low is above 0; high is above low on both.
struct ChartAxis {
    QString title = {};
    AxisScale scale = AxisScale::Linear;
    double low = 0;
    double high = 1;
    /// That ticks of a linear axis are printed in.
    AxisUnit unit = {};
    /// A value with its unit, for what is read off; without it the number in `unit`.
    std::function<QString(double)> text = {};
    /// A round value with its unit, for ticks of a logarithmic axis; without it as read off.
    std::function<QString(double)> tick = {};
    /// Ticks of a linear axis say their unit.
    bool unitOnTicks = false;
    /// Ticks of a logarithmic axis are powers of two.
    bool binary = false;

    /// 0 at low, 1 at high; not limited to the two.
    double shareOf(double value) const;
    double valueAt(double share) const;
    /// "12.4 ms"
    QString textOf(double value) const;
};

struct ChartTick {
    double value = 0;
    QString text;
};

/// Round values within the axis, at most `most` of them but at least the ends of a decade where there is one.
QVector<ChartTick> ticksOf(const ChartAxis &axis, int most);

/// A linear axis whose ends are round and hold both values; starts at 0 unless the values lie close together far off.
void spanLinear(ChartAxis &axis, double low, double high, int most = 4);

} // namespace meshwright
