// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"

#include <QFont>
#include <QFontMetricsF>
#include <QRectF>

class QPainter;

namespace meshwright {

/// Lays out a chart in a rectangle and draws it on any device. Qt Charts draws lines, areas and columns. Axes are drawn
/// here, because Qt Charts cannot show "4.6 GB" on a logarithmic axis and truncates labels that do not fit.
class ChartDrawing {
public:
    /// Maximum distance in pixels between the pointer and a hovered mark.
    static constexpr qreal markReach = 12;

    /// @param view  must outlive the drawing
    ChartDrawing(const QRectF &rect, const ChartView &view, const Theme &theme);

    const QRectF &plot() const { return m_plot; }
    /// Position of a value in the chart. Values far outside are clamped to a few axis lengths away.
    QPointF at(const QPointF &value) const;
    QPointF valueAt(const QPointF &place) const;
    QRectF columnAt(int thing) const;
    QPointF placeOfThing(int thing) const;
    /// Index of the item at or near a position, or of the mark with a derivation there; -1 if there is none.
    int thingAt(const QPointF &place) const;
    int figureMarkAt(const QPointF &place) const;
    /// Direction in which a value is outside the axes: x is -1 (left), 0 (inside) or 1 (right); y is -1 (above), 0
    /// (inside) or 1 (below).
    QPointF beyond(const QPointF &value) const;
    /// Area of a mark's label; empty if the mark is not shown.
    QRectF labelOf(const ChartMark &mark) const;

    /// Paints everything below the plot's series: grid, labels, titles and legend.
    void paintAxes(QPainter &painter) const;
    /// Paints lines, areas, columns and dots with Qt Charts.
    void paintPlot(QPainter &painter) const;
    void paintMarks(QPainter &painter) const;
    /// Paints the labels that cover neither a dot nor a more important label.
    void paintLabels(QPainter &painter) const;
    void paintPointed(QPainter &painter, int thing) const;
    /// Paints a dot with a rim in the card's color, which separates it from its line.
    void paintDot(QPainter &painter, const QPointF &centre, const ChartInk &ink, qreal radius) const;

private:
    void paintGrid(QPainter &painter) const;
    void paintTitles(QPainter &painter) const;
    void paintGroups(QPainter &painter) const;
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
