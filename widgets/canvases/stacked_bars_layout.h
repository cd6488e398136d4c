// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"
#include "canvases/stacked_bars_view.h"

#include <QRectF>
#include <QSizeF>

namespace meshwright {

/// Widths of the columns beside the bars, which depend on fonts and are measured by the painter.
struct StackedColumns {
    qreal labels = 60;
    qreal totals = 60;
};

/// Where everything of a stacked bar chart lies, in logical pixels from its top left corner. Pure arithmetic.
struct StackedBarsLayout {
    static constexpr qreal SmallestPitch = 10;
    static constexpr qreal LargestPitch = 54;
    static constexpr qreal AxisHeight = 24;
    static constexpr qreal CapacityHeight = 20;

    LinearScale scale;
    /// Rows scroll within it; the axis below and the capacity label above stay.
    QRectF rows;
    qreal pitch = LargestPitch;
    qreal barHeight = 44;
    qreal scrolled = 0;
    qreal contentHeight = 0;
    QVector<double> ticks;
    int rowCount = 0;

    QRectF bar(int row) const;
    /// Of the full width of its value: neighbours share an edge, and the last edge is at the sum.
    QRectF segment(const StackedBarsView &view, SegmentIndex index) const;
    /// -1 outside.
    int rowAt(qreal y) const;
    SegmentIndex segmentAt(const StackedBarsView &view, const QPointF &point) const;
    /// First and one past the last row that is not scrolled away.
    int firstVisible() const;
    int endVisible() const;
    qreal scrollRange() const;
    /// Every how many rows a label of `height` pixels can stand: 1 if it fits each.
    int labelStride(qreal height) const;
};

/// Spreads the rows over the height: as tall as LargestPitch, as low as SmallestPitch, and beyond that they scroll.
StackedBarsLayout layoutStackedBars(const StackedBarsView &view, const QSizeF &size, const StackedColumns &columns,
                                    qreal scrolled = 0);

/// The row height that reads best for a number of rows when there is no want of room.
qreal preferredPitch(int rows);
/// Height with preferredPitch(), axis and capacity label included.
qreal preferredHeight(const StackedBarsView &view);

} // namespace meshwright
