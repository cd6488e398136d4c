// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/line_chart.h"

namespace meshwright {

/// Lays a line chart out in a rectangle and draws it, on any device.
class LineChartPainter {
public:
    LineChartPainter(const QRectF &rect, const LineChartView &view, const Theme &theme);

    const QRectF &plot() const { return m_plot; }
    QPointF at(const QPointF &value) const;
    void paint(QPainter &painter) const;
    /// A dot with a rim of the card, so that it stands off its line.
    /// Where a mark's words stand; empty for one outside of the axes.
    QRectF labelOf(const ChartMark &mark) const;
    void paintDot(QPainter &painter, const QPointF &centre, const QColor &colour, qreal radius) const;

private:
    bool hasLegend() const;
    void paintLegend(QPainter &painter) const;
    void paintAxes(QPainter &painter) const;
    void paintLines(QPainter &painter) const;
    void paintSeries(QPainter &painter, const ChartSeries &series) const;
    void paintMarks(QPainter &painter) const;

    const QRectF m_rect;
    const LineChartView &m_view;
    const Theme &m_theme;
    QVector<ChartTick> m_xTicks;
    QVector<ChartTick> m_yTicks;
    QRectF m_plot;
};

} // namespace meshwright
