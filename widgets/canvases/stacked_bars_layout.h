// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"
#include "canvases/stacked_bars_view.h"

#include <QRectF>
#include <QSizeF>

namespace meshwright {

/// Widths of the columns left and right of the bars. The painter measures them, because they depend on fonts.
struct StackedColumns {
    qreal labels = 60;
    qreal totals = 60;
};

/// Geometry of a stacked bar chart, in logical pixels from its top left corner. Independent of fonts and devices.
struct StackedBarsLayout {
    static constexpr qreal SmallestPitch = 10;
    static constexpr qreal LargestPitch = 54;
    static constexpr qreal AxisHeight = 24;
    static constexpr qreal CapacityHeight = 20;

    LinearScale scale;
    /// Area with the scrolling rows; the axis below and the capacity label above do not scroll.
    QRectF rows;
    qreal pitch = LargestPitch;
    qreal barHeight = 44;
    qreal scrolled = 0;
    qreal contentHeight = 0;
    QVector<double> ticks;
    int rowCount = 0;

    QRectF bar(int row) const;
    /// Rectangle of a segment. Neighbors share an edge, and the last edge is at the sum.
    QRectF segment(const StackedBarsView &view, SegmentIndex index) const;
    /// Row at a y coordinate; -1 if there is none.
    int rowAt(qreal y) const;
    SegmentIndex segmentAt(const StackedBarsView &view, const QPointF &point) const;
    int firstVisible() const;
    int endVisible() const;
    qreal scrollRange() const;
    /// Number of rows per label of `height` pixels: 1 if every row has room for its label.
    int labelStride(qreal height) const;
};

/// Distributes the rows over the height, with row heights between SmallestPitch and LargestPitch. If there are too many
/// rows, they scroll.
StackedBarsLayout layoutStackedBars(const StackedBarsView &view, const QSizeF &size, const StackedColumns &columns,
                                    qreal scrolled = 0);

qreal preferredPitch(int rows);
/// Total height at preferredPitch(), including axis and capacity label.
qreal preferredHeight(const StackedBarsView &view);

} // namespace meshwright
