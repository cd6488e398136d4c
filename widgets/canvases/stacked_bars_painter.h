// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/stacked_bars_layout.h"
#include "theme/theme.h"

#include <QSet>

class QPainter;

namespace meshwright {

/// Draws a stacked bar chart onto any device: screen, PNG, SVG or PDF.
class StackedBarsPainter {
public:
    StackedBarsPainter(const StackedBarsView &view, const Theme &theme);

    static StackedColumns columns(const StackedBarsView &view, const Theme &theme);

    /// Paints the chart at the painter's origin, with an outline around the segment `highlighted`.
    void paint(QPainter &painter, const StackedBarsLayout &layout, SegmentIndex highlighted = {}) const;

    /// Label of a segment of this size: lines of text, a single letter or nothing, depending on the space.
    QStringList labelFor(const StackedSegment &segment, const QSizeF &size) const;
    /// Segments whose names fit in no row. The legend must name them.
    QVector<StackedSegment> unnamed(const StackedBarsLayout &layout) const;

private:
    /// Height of the strip that shows the preview along the bottom of a bar, and minimum height of a bar with a strip.
    static constexpr qreal GhostHeight = 5;
    static constexpr qreal GhostFrom = 16;

    void paintAxis(QPainter &painter, const StackedBarsLayout &layout) const;
    void paintRow(QPainter &painter, const StackedBarsLayout &layout, int row) const;
    void paintOverflow(QPainter &painter, const StackedBarsLayout &layout, int row, const QRectF &area) const;
    void paintOverflowLabel(QPainter &painter, const QRectF &rect, const QStringList &lines) const;
    void paintSegment(QPainter &painter, const QRectF &rect, const StackedSegment &segment) const;
    void paintSegmentLabel(QPainter &painter, const QRectF &rect, const StackedSegment &segment) const;
    void paintRowEnds(QPainter &painter, const StackedBarsLayout &layout, int row) const;
    void paintGhost(QPainter &painter, const StackedBarsLayout &layout) const;
    void paintCapacity(QPainter &painter, const StackedBarsLayout &layout) const;

    const StackedBarsView &m_view;
    const Theme &m_theme;
    QFont m_plain;
    QFont m_strong;
    QFont m_body;
    QFont m_bodyStrong;
};

} // namespace meshwright
