// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_gestures.h"

#include "timeline/timeline_axis.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal DragFrom = 4; ///< maximum distance in pixels between press and release of a click
constexpr int WheelPause = 300; ///< pause in milliseconds that starts a new wheel gesture
constexpr double NotchFactor = 1.25;
constexpr double FineFactor = 1.05;
constexpr double NotchPan = 0.1; ///< fraction of the visible range per wheel notch
constexpr double KeyFactor = 1.6;
constexpr double KeyPan = 0.25;
constexpr double Notch = 120; ///< wheel angle of one notch in eighths of a degree
constexpr double PixelsOfNotch = 40; ///< touchpad pixels that correspond to one notch

} // namespace

TimelineGestures::TimelineGestures(TimelineAxis *axis, QObject *parent)
    : QObject(parent)
    , m_axis(axis) { }

void TimelineGestures::setPlot(qreal left, qreal width) {
    m_left = left;
    m_width = std::max<qreal>(1, width);
}

double TimelineGestures::timeAt(qreal x) const {
    return xToTime(x - m_left, m_axis->visible(), m_width);
}

qreal TimelineGestures::xAt(double time) const {
    return m_left + timeToX(time, m_axis->visible(), m_width);
}

TimelineGestures::Direction TimelineGestures::wheelDirection(const QWheelEvent *event) {
    const bool fresh = event->phase() == Qt::ScrollBegin || !m_sinceWheel.isValid()
        || m_sinceWheel.elapsed() > WheelPause || m_wheel == Direction::None;
    m_sinceWheel.start();
    if (fresh) {
        const QPoint delta = event->angleDelta();
        m_wheel = std::abs(delta.x()) > std::abs(delta.y()) ? Direction::Horizontal : Direction::Vertical;
    }
    return m_wheel;
}

void TimelineGestures::wheel(QWheelEvent *event) {
    event->accept();
    const QPoint pixels = event->pixelDelta();
    const QPointF notches = pixels.isNull() ? QPointF(event->angleDelta()) / Notch : QPointF(pixels) / PixelsOfNotch;
    if (event->modifiers() & Qt::AltModifier) {
        // With Alt, Qt reports vertical wheel movement as horizontal.
        Q_EMIT scrolled(static_cast<int>(-(notches.x() + notches.y()) * PixelsOfNotch));
        return;
    }
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const bool sideways = wheelDirection(event) == Direction::Horizontal;
    if (shift || sideways) {
        const double amount = sideways ? notches.x() : notches.y();
        const double share = pixels.isNull() ? amount * NotchPan : amount * PixelsOfNotch / m_width;
        m_axis->panBy(-share * m_axis->visible().length());
        return;
    }
    const double factor = event->modifiers() & Qt::ControlModifier ? FineFactor : NotchFactor;
    const qreal x = std::clamp(event->position().x(), m_left, m_left + m_width);
    m_axis->zoomAbout(timeAt(x), std::pow(factor, notches.y()));
}

void TimelineGestures::press(const QMouseEvent *event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::RightButton)
        return;
    m_drag = Drag::Waiting;
    m_pressed = m_last = event->position();
    m_measureFrom = timeAt(m_pressed.x());
}

void TimelineGestures::beginDrag(const QMouseEvent *event) {
    const QPointF way = event->position() - m_pressed;
    if (std::max(std::abs(way.x()), std::abs(way.y())) < DragFrom)
        return;
    const bool right = event->buttons() & Qt::RightButton;
    if (m_measuring || right || event->modifiers() & Qt::ShiftModifier)
        m_drag = Drag::Measuring;
    else
        m_drag = std::abs(way.x()) >= std::abs(way.y()) ? Drag::Panning : Drag::Scrolling;
}

bool TimelineGestures::move(const QMouseEvent *event) {
    if (m_drag == Drag::None || !(event->buttons() & (Qt::LeftButton | Qt::RightButton)))
        return false;
    if (m_drag == Drag::Waiting)
        beginDrag(event);
    const QPointF way = event->position() - m_last;
    switch (m_drag) {
    case Drag::Panning:
        m_axis->panBy(-way.x() / m_width * m_axis->visible().length());
        break;
    case Drag::Scrolling:
        Q_EMIT dragged(static_cast<int>(way.y()));
        break;
    case Drag::Measuring: {
        const double to = timeAt(event->position().x());
        const TimeRange &whole = m_axis->whole();
        m_axis->setMeasured(TimeRange{std::clamp(std::min(m_measureFrom, to), whole.begin, whole.end),
                                      std::clamp(std::max(m_measureFrom, to), whole.begin, whole.end)});
        break;
    }
    case Drag::None:
    case Drag::Waiting:
        return false;
    }
    m_last = event->position();
    return true;
}

bool TimelineGestures::release(const QMouseEvent *) {
    const bool dragged = m_drag != Drag::None && m_drag != Drag::Waiting;
    m_drag = Drag::None;
    return dragged;
}

bool TimelineGestures::key(const QKeyEvent *event) {
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    const TimeRange &visible = m_axis->visible();
    const double middle = (visible.begin + visible.end) / 2;
    const std::optional<double> cursor = m_axis->cursor();
    const double about = cursor && visible.contains(*cursor) ? *cursor : middle;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_axis->zoomAbout(about, KeyFactor, TimelineAxis::Pace::Smooth);
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        m_axis->zoomAbout(about, 1 / KeyFactor, TimelineAxis::Pace::Smooth);
        return true;
    case Qt::Key_A:
        m_axis->panBy(-KeyPan * visible.length(), TimelineAxis::Pace::Smooth);
        return true;
    case Qt::Key_D:
        m_axis->panBy(KeyPan * visible.length(), TimelineAxis::Pace::Smooth);
        return true;
    case Qt::Key_0:
    case Qt::Key_Home:
        m_axis->showAll();
        return true;
    default:
        return false;
    }
}

} // namespace meshwright
