// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_coordinates.h"

#include <QString>
#include <QVector>

class QPainter;
class QRectF;

namespace meshwright {

class Theme;

/// A place of the ruler with what is written there.
struct TimeTick {
    double time = 0;
    QString text;
};

/// Round times within a range, at most `most` of them, with just the decimals that tell them apart. The unit fits what
/// is in sight and stands with the first.
QVector<TimeTick> timeTicks(const TimeRange &range, int most);

/// A duration with four figures and its unit: "90.00 ms".
QString durationText(double seconds);
/// A place on the axis, to a thousandth of what is in sight: "2.4187 s".
QString timeText(double seconds, const TimeRange &visible);

enum class RulerSide { AbovePlot, BelowPlot };

/// Ticks and their labels over or under a plot that is as wide as `rect`.
void paintRuler(QPainter &painter, const QRectF &rect, const TimeRange &range, const Theme &theme, RulerSide side);

} // namespace meshwright
