// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sites/axis_chart.h"
#include "theme/roles.h"

#include <vector>

namespace meshwright {

class LoadCurves : public AxisChart {
    Q_OBJECT

public:
    explicit LoadCurves(TimelineAxis *axis, QWidget *parent = nullptr);

    HoverContent describeRun(QPointF place) const override;
    QSize sizeHint() const override { return {640, 60}; }
    QSize minimumSizeHint() const override { return {320, 60}; }

protected:
    void paintChart(QPainter &painter, const Theme &theme) const override;

private:
    enum class Fill { None, Below };
    double meanOf(const std::vector<double> &values, double from, double to) const;
    void paintCurve(QPainter &painter, const std::vector<double> &values, double highest, const QColor &colour,
                    Fill fill) const;
    qreal yOf(double share) const;
    double maxQueued() const;
};

} // namespace meshwright
