// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"
#include "memory/memory_trace.h"
#include "timeline/timeline_chart.h"

namespace meshwright {

/// Memory of one rank over a step: a stacked area by kind on a shared time axis. The device capacity is a line, and the
/// peak is marked. Each pixel column shows its highest point, so that even the shortest peak is visible.
class StepMemoryChart : public TimelineChart {
    Q_OBJECT

public:
    explicit StepMemoryChart(TimelineAxis *axis, QWidget *parent = nullptr);

    /// @param trace  null draws nothing
    void setTrace(const MemoryTracePointer &trace);
    const MemoryTracePointer &trace() const { return m_trace; }
    /// Minimum value at the top of the vertical axis, so that two charts can share a scale.
    void setHighest(double bytes);
    double highest() const;
    /// Device capacity in bytes; 0 draws no line.
    void setCapacity(double bytes);
    void setStale(bool stale);

    QRectF plot() const override;
    HoverContent describe(QPointF place) const override;
    /// Maps bytes to y coordinates in the plot; y grows downward.
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
