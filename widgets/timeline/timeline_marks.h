// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

class QPainter;

namespace meshwright {

class Theme;
class TimelineAxis;

/// How much of a mark a chart shows: the one where a measure is taken says its length.
enum class MarkText { Shown, Left };

/// What lies over every chart of an axis: the measured stretch, what a sweep has not come to yet, and the pointer's
/// place in the other charts.
void paintTimelineMarks(QPainter &painter, const QRectF &plot, const TimelineAxis &axis, const Theme &theme,
                        MarkText text);

/// Geometry that charts which stand over each other share, in logical pixels.
namespace timelines {
inline constexpr int Gutter = 64; ///< names of rows, values of an axis
inline constexpr int RightMargin = 8;
inline constexpr int RulerHeight = 22;
} // namespace timelines

} // namespace meshwright
