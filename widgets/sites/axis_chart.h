// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sites/sites_run.h"
#include "timeline/timeline_chart.h"

namespace meshwright {

/// A chart of a run of sites under their timelines.
class AxisChart : public TimelineChart {
    Q_OBJECT

public:
    AxisChart(TimelineAxis *axis, const QString &name, QWidget *parent = nullptr);

    /// Null for nothing.
    void setRun(const SitesRunPointer &run);
    QRectF plot() const override;
    HoverContent describe(QPointF place) const final;

protected:
    virtual void paintChart(QPainter &painter, const Theme &theme) const = 0;
    /// As describe(), of a run that can be drawn.
    virtual HoverContent describeRun(QPointF place) const = 0;
    const SitesRun *run() const { return m_run.get(); }
    /// Right-aligned beside the plot, its middle at y.
    void paintName(QPainter &painter, const Theme &theme, const QString &text, qreal y) const;
    /// A line across the plot with its value beside it.
    void paintTick(QPainter &painter, const Theme &theme, const QString &text, qreal y) const;

    void paintEvent(QPaintEvent *event) override;

private:
    SitesRunPointer m_run;
};

} // namespace meshwright
