// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"

#include <QFont>
#include <QFontMetricsF>
#include <QRectF>

class QPainter;

namespace meshwright {

/// Lays a chart out in a rectangle and draws it, on any device. Qt Charts draws lines, areas and columns. Axes are
/// drawn here: those of Qt Charts cannot say "4.6 GB" on a logarithmic scale, and they cut labels short that have no
/// room.
class ChartDrawing {
public:
    /// A mark is held from so many pixels around it.
    static constexpr qreal markReach = 12;

    /// The view outlives the drawing.
    ChartDrawing(const QRectF &rect, const ChartView &view, const Theme &theme);

    const QRectF &plot() const { return m_plot; }
    /// Where a value lies; far outside no further than some lengths of the axis away.
    QPointF at(const QPointF &value) const;
    QPointF valueAt(const QPointF &place) const;
    /// The column of a thing, or its last dot.
    QRectF columnAt(int thing) const;
    QPointF placeOfThing(int thing) const;
    /// The thing under a place or next to it, and the mark whose derivation is opened there; -1 for none.
    int thingAt(const QPointF &place) const;
    int figureMarkAt(const QPointF &place) const;
    /// Where a value lies that the axes do not reach: -1, 0 or 1 to the right and down.
    QPointF beyond(const QPointF &value) const;
    /// Where a mark's words stand; empty for one that is not shown.
    QRectF labelOf(const ChartMark &mark) const;

    /// What lies under the plot: grid, labels, names.
    void paintAxes(QPainter &painter) const;
    /// What Qt Charts draws.
    void paintPlot(QPainter &painter) const;
    void paintMarks(QPainter &painter) const;
    /// Sets off a thing that is pointed at.
    void paintPointed(QPainter &painter, int thing) const;
    /// A dot with a rim of the card, so that it stands off its line.
    void paintDot(QPainter &painter, const QPointF &centre, const ChartInk &ink, qreal radius) const;

private:
    void paintGrid(QPainter &painter) const;
    void paintTitles(QPainter &painter) const;
    void paintLegend(QPainter &painter) const;
    void paintMark(QPainter &painter, const ChartMark &mark) const;
    void paintArrow(QPainter &painter, const QPointF &tip, const QPointF &towards, const ChartInk &ink) const;
    bool hasLegend() const;
    template <typename Take>
    void forEachDot(const Take &take) const;
    QFont fontOf(const ChartMark &mark) const;
    QPointF shownAt(const ChartMark &mark) const;

    const QRectF m_rect;
    const ChartView &m_view;
    const Theme &m_theme;
    const QFont m_font;
    const QFontMetricsF m_metrics;
    QRectF m_plot;
    QVector<ChartTick> m_xTicks;
    QVector<ChartTick> m_yTicks;
};

} // namespace meshwright
