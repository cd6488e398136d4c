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

/// The gestures that every chart over a time axis understands: the wheel zooms about the pointer (Ctrl finely) or, with
/// Shift or sideways, pans; a drag pans, with Shift it measures; W A S D and 0. A gesture keeps to the direction that
/// it began in.
class TimelineGestures : public QObject {
    Q_OBJECT

public:
    explicit TimelineGestures(TimelineAxis *axis, QObject *parent = nullptr);

    /// Where the axis lies on the chart, in its pixels.
    void setPlot(qreal left, qreal width);
    /// A drag without Shift measures too.
    void setMeasuring(bool measuring) { m_measuring = measuring; }
    double timeAt(qreal x) const;
    qreal xAt(double time) const;

    void wheel(QWheelEvent *event);
    void press(const QMouseEvent *event);
    /// True while a drag goes on: the chart does nothing else with the pointer then.
    bool move(const QMouseEvent *event);
    /// True if it ended a drag, and was not a click.
    bool release(const QMouseEvent *event);
    /// False if the key means nothing here.
    bool key(const QKeyEvent *event);

Q_SIGNALS:
    /// A drag up or down by so many pixels, downwards positive: rows move with it.
    void dragged(int pixels);
    /// The wheel asks for the same (with Alt).
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
