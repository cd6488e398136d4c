// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointF>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace meshwright {

class TimelineAxis;

/// Gestures that all charts with a time axis share. The wheel zooms around the pointer (with Ctrl in fine steps); with
/// Shift, or when tilted, it pans. A drag pans, or with Shift measures. W, A, S, D and 0 are shortcuts. A gesture keeps
/// its initial direction.
class TimelineGestures : public QObject {
    Q_OBJECT

public:
    explicit TimelineGestures(TimelineAxis *axis, QObject *parent = nullptr);

    /// Horizontal extent of the plot, in the chart's coordinates.
    void setPlot(qreal left, qreal width);
    /// While set, a drag measures instead of panning, even without Shift.
    void setMeasuring(bool measuring) { m_measuring = measuring; }
    double timeAt(qreal x) const;
    qreal xAt(double time) const;

    void wheel(QWheelEvent *event);
    void press(const QMouseEvent *event);
    /// True during a drag. The chart must then ignore the pointer.
    bool move(const QMouseEvent *event);
    /// True if the release ended a drag, not a click.
    bool release(const QMouseEvent *event);
    /// False if the key belongs to no gesture.
    bool key(const QKeyEvent *event);

Q_SIGNALS:
    /// A vertical drag in pixels, positive downward. The rows move with it.
    void dragged(int pixels);
    /// The user turned the wheel with Alt pressed, to scroll vertically by this many pixels.
    void scrolled(int pixels);

private:
    enum class Direction { None, Horizontal, Vertical };
    enum class Drag { None, Waiting, Panning, Scrolling, Measuring };
    Direction wheelDirection(const QWheelEvent *event);
    void beginDrag(const QMouseEvent *event);

    TimelineAxis *m_axis;
    qreal m_left = 0;
    qreal m_width = 1;
    bool m_measuring = false;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    QPointF m_last;
    double m_measureFrom = 0;
    Direction m_wheel = Direction::None;
    QElapsedTimer m_sinceWheel;
};

} // namespace meshwright
