// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"

#include <QString>
#include <QVector>

#include <functional>

namespace meshwright {

enum class AxisScale { Linear, Logarithmic };

struct ChartTick {
    double value = 0;
    QString text;
};

/// Adjacent columns with a common label below the columns' own labels.
struct ChartGroup {
    double low = 0;
    double high = 1;
    QString text;
};

/// One axis of a chart. `high` must exceed `low`, and `low` must be positive on a logarithmic axis.
struct ChartAxis {
    QString title = {};
    AxisScale scale = AxisScale::Linear;
    double low = 0;
    double high = 1;
    AxisUnit unit = {};
    /// Formats a value with its unit, for hover cards. If unset, the number is shown in `unit`.
    std::function<QString(double)> text = {};
    /// Formats a round value with its unit, for ticks of a logarithmic axis. If unset, textOf() does.
    std::function<QString(double)> tick = {};
    /// Whether ticks of a linear axis show their unit.
    bool unitOnTicks = false;
    /// Whether ticks of a logarithmic axis are powers of two instead of ten.
    bool binary = false;
    /// Explicit ticks. If empty, ticks are at round values.
    QVector<ChartTick> ticks = {};
    /// Whether each tick is the center of a category of width 1. Then the grid lines separate the categories.
    bool categories = false;
    /// Groups of the x axis, drawn in place of its title.
    QVector<ChartGroup> groups = {};

    /// Position along the axis: 0 at `low`, 1 at `high`, not clamped.
    double shareOf(double value) const;
    double valueAt(double share) const;
    /// Text of a value for hover cards: "12.4 ms".
    QString textOf(double value) const;
};

/// Ticks at round values; `most` is their approximate maximum number. A logarithmic axis over several decades has ticks
/// only at powers of ten or two.
QVector<ChartTick> ticksOf(const ChartAxis &axis, int most);

/// Sets the ends of a linear axis to round values around [low, high]. It starts at 0 unless the values are close to
/// each other and far from 0.
void spanLinear(ChartAxis &axis, double low, double high, int most = 4);

} // namespace meshwright
