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
/// Gives a painter the pen and brush of dots.
void takeUp(QPainter &painter, const ChartDots &dots, const Theme &theme);

/// What Qt Charts draws of a view: lines, areas, columns and dots. It is given shares of the axes in place of values,
/// so that a logarithmic axis is no other than a linear one and no value is too large for it. Made for one picture and
/// let go of: that takes about a millisecond, and a chart that nobody looks at takes no memory.
class PlotScene {
public:
    /// @param plot  where the axes lie in `rect`
    PlotScene(const QRectF &rect, const QRectF &plot, const ChartView &view, const Theme &theme);

    void paint(QPainter &painter);
    /// Where a share of either axis lies.
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
    QChart *m_chart; ///< of the scene
    QValueAxis *m_x; ///< of the chart
    QValueAxis *m_y;
};

} // namespace meshwright
