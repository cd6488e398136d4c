// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_coordinates.h"

#include <QString>
#include <QVector>

class QPainter;
class QRectF;

namespace meshwright {

class Theme;

struct TimeTick {
    double time = 0;
    QString text;
};

/// Round times within a range, at most `most`, with just enough decimals to tell them apart. The unit suits the visible
/// range and is shown with the first tick.
QVector<TimeTick> timeTicks(const TimeRange &range, int most);

/// A duration with four significant digits and its unit: "90.00 ms".
QString durationText(double seconds);
/// A time on the axis, precise to a thousandth of the visible range: "2.4187 s".
QString timeText(double seconds, const TimeRange &visible);

enum class RulerSide { AbovePlot, BelowPlot };

/// Draws ticks and labels above or below a plot that is as wide as `rect`.
void paintRuler(QPainter &painter, const QRectF &rect, const TimeRange &range, const Theme &theme, RulerSide side);

} // namespace meshwright
