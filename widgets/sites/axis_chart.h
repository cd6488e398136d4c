// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sites/sites_run.h"
#include "timeline/timeline_chart.h"

namespace meshwright {

/// A chart of a simulated multi-site run, on the time axis of the timelines.
class AxisChart : public TimelineChart {
    Q_OBJECT

public:
    AxisChart(TimelineAxis *axis, const QString &name, QWidget *parent = nullptr);

    void setRun(const SitesRunPointer &run);
    QRectF plot() const override;
    HoverContent describe(QPointF place) const final;

protected:
    virtual void paintChart(QPainter &painter, const Theme &theme) const = 0;
    /// Like describe(), but called only if there is a run to draw.
    virtual HoverContent describeRun(QPointF place) const = 0;
    const SitesRun *run() const { return m_run.get(); }
    /// Draws a name left of the plot, right-aligned and vertically centered at y.
    void paintName(QPainter &painter, const Theme &theme, const QString &text, qreal y) const;
    /// Draws a line across the plot with its value to the left.
    void paintTick(QPainter &painter, const Theme &theme, const QString &text, qreal y) const;

    void paintEvent(QPaintEvent *event) override;

private:
    SitesRunPointer m_run;
};

} // namespace meshwright
