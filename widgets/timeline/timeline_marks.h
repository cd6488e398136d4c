// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

class QPainter;

namespace meshwright {

class Theme;
class TimelineAxis;

/// Whether a chart labels the measured range with its length.
enum class MarkText { Shown, Left };

/// Draws the overlay that all charts on one time axis share: the measured range, the sweep line, which fades everything
/// after it, and the pointer position.
void paintTimelineMarks(QPainter &painter, const QRectF &plot, const TimelineAxis &axis, const Theme &theme,
                        MarkText text);

/// Geometry shared by charts that are stacked above each other, in logical pixels.
namespace timelines {
inline constexpr int Gutter = 64; ///< width for row names or axis values
inline constexpr int RightMargin = 8;
inline constexpr int RulerHeight = 22;
} // namespace timelines

} // namespace meshwright
