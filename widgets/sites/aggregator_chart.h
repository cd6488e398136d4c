// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sites/axis_chart.h"

namespace meshwright {

/// Activity at the aggregator: arrivals of each fragment's updates as a step plot, with the quorum as a line; the
/// closing of each round; late arrivals; and the duration of the broadcast of the average.
class AggregatorChart : public AxisChart {
    Q_OBJECT

public:
    explicit AggregatorChart(TimelineAxis *axis, QWidget *parent = nullptr);

    HoverContent describeRun(QPointF place) const override;
    QSize sizeHint() const override { return {640, 100}; }
    QSize minimumSizeHint() const override { return {320, 96}; }

protected:
    void paintChart(QPainter &painter, const Theme &theme) const override;

private:
    QRectF stairs() const;
    qreal yOf(double arrivals) const;
    void paintScale(QPainter &painter, const Theme &theme) const;
    void paintArrivals(QPainter &painter, const WatchedGathering &watched, const QColor &colour) const;
    void paintClosing(QPainter &painter, const WatchedGathering &watched, const QColor &colour,
                      const Theme &theme) const;
    void paintRounds(QPainter &painter, const Theme &theme) const;
};

} // namespace meshwright
