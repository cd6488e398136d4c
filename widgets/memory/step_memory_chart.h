// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"
#include "canvases/hover_card.h"
#include "memory/memory_trace.h"
#include "timeline/timeline_gestures.h"

#include <QImage>
#include <QWidget>

namespace meshwright {

class Theme;
class TimelineAxis;

/// One rank's memory over a step as a stacked area by kind, over a time axis that it shares with others: the capacity
/// over it, its peak marked. Each pixel column shows the highest moment in it, so that no peak is lost however short.
class StepMemoryChart : public QWidget {
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
    /// A drag without Shift measures too.
    void setMeasuring(bool measuring);
    /// What is drawn is of an earlier plan.
    void setStale(bool stale);

    QRectF plot() const;
    /// From bytes to heights in the plot, downwards.
    LinearScale scale() const;

    QSize sizeHint() const override { return {640, 260}; }
    QSize minimumSizeHint() const override { return {320, 110}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void forget();
    void drawArea();
    void paintAxis(QPainter &painter, const Theme &theme) const;
    void paintPeak(QPainter &painter, const Theme &theme) const;
    HoverContent describe(double time) const;

    TimelineAxis *m_axis;
    TimelineGestures *m_gestures;
    MemoryTracePointer m_trace;
    double m_highest = 0;
    double m_capacity = 0;
    bool m_stale = false;
    QImage m_picture;
    HoverCardSlot m_card;
};

} // namespace meshwright
