// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"

#include <QGraphicsScene>
#include <QRectF>

class QAbstractSeries;
class QChart;
class QPainter;
class QPen;
class QValueAxis;

namespace meshwright {

QPen penOf(const ChartSeries &series, const Theme &theme);
void takeUp(QPainter &painter, const ChartDots &dots, const Theme &theme);

/// The part of a chart that Qt Charts draws: lines, areas, columns and dots. Values are first converted to axis
/// positions from 0 to 1, so that logarithmic axes need no special case and no value overflows. A scene exists only
/// while one picture is drawn, which takes about a millisecond. Hidden charts therefore need no memory.
class PlotScene {
public:
    /// @param plot  area inside the axes, within `rect`
    PlotScene(const QRectF &rect, const QRectF &plot, const ChartView &view, const Theme &theme);

    void paint(QPainter &painter);
    /// Converts a position on the axis, in the range [0, 1], to pixels.
    QPointF placeOf(const QPointF &share) const;

private:
    QPointF shareOf(const QPointF &value) const;
    void setRanges(int columns);
    void add(QAbstractSeries *series);
    void addBand(const ChartBand &band);
    void addSeries(const ChartSeries &series);
    void addColumns();
    void addDots();

    const QRectF m_rect;
    const QRectF m_plot;
    const ChartView &m_view;
    const Theme &m_theme;
    QGraphicsScene m_scene;
    QChart *m_chart; ///< owned by the scene
    QValueAxis *m_x; ///< owned by the chart
    QValueAxis *m_y;
};

} // namespace meshwright
