// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"
#include "memory/memory_trace.h"
#include "timeline/timeline_chart.h"

namespace meshwright {

/// One rank's memory over a step as a stacked area by kind, over a time axis that it shares with others: the capacity
/// over it, its peak marked. Each pixel column shows the highest moment in it, so that no peak is lost however short.
class StepMemoryChart : public TimelineChart {
    Q_OBJECT

public:
    explicit StepMemoryChart(TimelineAxis *axis, QWidget *parent = nullptr);

    /// @param trace  may be null: nothing is drawn
    void setTrace(const MemoryTracePointer &trace);
    const MemoryTracePointer &trace() const { return m_trace; }
    /// Up to where the vertical axis reaches at least, so that two charts share one scale.
    void setHighest(double bytes);
    double highest() const;
    /// 0 for none.
    void setCapacity(double bytes);
    /// What is drawn is of an earlier plan.
    void setStale(bool stale);

    QRectF plot() const override;
    HoverContent describe(QPointF place) const override;
    /// From bytes to heights in the plot, downwards.
    LinearScale scale() const;

    QSize sizeHint() const override { return {640, 260}; }
    QSize minimumSizeHint() const override { return {320, 110}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void drawArea();
    void paintAxis(QPainter &painter, const Theme &theme) const;
    void paintPeak(QPainter &painter, const Theme &theme) const;

    MemoryTracePointer m_trace;
    double m_highest = 0;
    double m_capacity = 0;
    bool m_stale = false;
};

} // namespace meshwright
