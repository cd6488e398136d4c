// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/stepped_slider.h"

#include "controls/plain_numbers.h"
#include "controls/scrolling_wheel.h"
#include "controls/slider_accessible.h"
#include "figures/figure_event.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal Inset = 9;
constexpr int CurveHeight = 24;
constexpr int RailHeight = 20;
constexpr int LabelHeight = 16;

} // namespace

SteppedSlider::SteppedSlider(QWidget *parent)
    : QAbstractSlider(parent) {
    showsNoFigures(this, NotFigures::setting);
    SliderAccessible::installFactory();
    leaveWheelToScrolling(this);
    setOrientation(Qt::Horizontal);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setRange(0, 0);
    setPageStep(1);
    // Assistive technology moves the slider with setValue().
    connect(this, &QAbstractSlider::valueChanged, this, [this](int index) {
        if (index >= 0 && index < m_stops.size() && m_stops[index] != m_stop && !isOffList())
            choose(index);
    });
}

void SteppedSlider::setStops(const QVector<qint64> &stops, const QStringList &labels) {
    m_stops = stops;
    m_labels = labels;
    if (m_labels.size() != m_stops.size()) {
        m_labels.clear();
        for (const qint64 stop : stops)
            m_labels.append(plain_numbers::text(stop));
    }
    const QSignalBlocker blocker(this);
    setRange(0, std::max(0, int(stops.size()) - 1));
    setStop(m_stop);
}

bool SteppedSlider::isOffList() const {
    return !m_stops.contains(m_stop);
}

void SteppedSlider::setStop(qint64 value) {
    m_stop = value;
    if (!m_stops.isEmpty()) {
        const auto at = std::lower_bound(m_stops.cbegin(), m_stops.cend(), value);
        const int index = int(std::min<qsizetype>(at - m_stops.cbegin(), m_stops.size() - 1));
        const QSignalBlocker blocker(this);
        setValue(index);
    }
    update();
}

void SteppedSlider::setCurve(const QVector<std::optional<double>> &curve) {
    if (curve.isEmpty() != m_curve.isEmpty())
        updateGeometry();
    m_curve = curve;
    update();
}

void SteppedSlider::setCurveRoom(bool kept) {
    m_curveRoom = kept;
    updateGeometry();
    update();
}

int SteppedSlider::curveHeight() const {
    return m_curveRoom || !m_curve.isEmpty() ? CurveHeight : 0;
}

void SteppedSlider::setHollowCurve(const QVector<std::optional<double>> &curve) {
    m_hollowCurve = curve;
    update();
}

void SteppedSlider::setBest(std::optional<int> index) {
    m_best = index;
    update();
}

qreal SteppedSlider::positionOf(int index) const {
    const qreal span = width() - 2 * Inset;
    return m_stops.size() < 2 ? Inset : Inset + span * index / qreal(m_stops.size() - 1);
}

qreal SteppedSlider::positionOfValue(qint64 value) const {
    if (m_stops.isEmpty() || value <= m_stops.front())
        return positionOf(0);
    if (value >= m_stops.back())
        return positionOf(int(m_stops.size()) - 1);
    const auto above = std::lower_bound(m_stops.cbegin(), m_stops.cend(), value);
    const int index = int(above - m_stops.cbegin());
    const double low = double(m_stops[index - 1]);
    const double high = double(m_stops[index]);
    const double share =
        low > 0 ? std::log(double(value) / low) / std::log(high / low) : (double(value) - low) / (high - low);
    return positionOf(index - 1) + (positionOf(index) - positionOf(index - 1)) * share;
}

int SteppedSlider::indexAt(qreal x) const {
    if (m_stops.size() < 2)
        return 0;
    const qreal span = std::max<qreal>(1, width() - 2 * Inset);
    const int last = int(m_stops.size()) - 1;
    return std::clamp(int(std::lround((x - Inset) / span * last)), 0, last);
}

qreal SteppedSlider::railMiddle() const {
    return curveHeight() + RailHeight / 2.0;
}

QSize SteppedSlider::sizeHint() const {
    return {200, curveHeight() + RailHeight + LabelHeight};
}

QSize SteppedSlider::minimumSizeHint() const {
    return {96, sizeHint().height()};
}

void SteppedSlider::choose(int index) {
    if (index < 0 || index >= m_stops.size() || m_stops[index] == m_stop)
        return;
    setStop(m_stops[index]);
    Q_EMIT stopChosen(m_stop);
}

void SteppedSlider::chooseNeighbor(int direction) {
    if (m_stops.isEmpty())
        return;
    // If the thumb is between two stops, an arrow key moves to the adjacent one in its direction.
    const auto at = std::lower_bound(m_stops.cbegin(), m_stops.cend(), m_stop);
    const int index = int(at - m_stops.cbegin());
    const int target = direction < 0 ? index - 1 : isOffList() ? index : index + 1;
    choose(std::clamp(target, 0, int(m_stops.size()) - 1));
}

void SteppedSlider::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton || m_stops.isEmpty()) {
        event->ignore();
        return;
    }
    m_dragging = true;
    setSliderDown(true);
    Q_EMIT dragStarted();
    choose(indexAt(event->position().x()));
}

void SteppedSlider::mouseMoveEvent(QMouseEvent *event) {
    const int index = indexAt(event->position().x());
    if (m_dragging)
        choose(index);
    if (m_hovered != index) {
        m_hovered = index;
        update();
    }
}

void SteppedSlider::mouseReleaseEvent(QMouseEvent *event) {
    if (!m_dragging || event->button() != Qt::LeftButton)
        return;
    m_dragging = false;
    setSliderDown(false);
    Q_EMIT dragFinished();
    update();
}

void SteppedSlider::leaveEvent(QEvent *event) {
    m_hovered = -1;
    update();
    QAbstractSlider::leaveEvent(event);
}

void SteppedSlider::keyPressEvent(QKeyEvent *event) {
    const bool mirrored = isRightToLeft();
    switch (event->key()) {
    case Qt::Key_Left:
        chooseNeighbor(mirrored ? 1 : -1);
        break;
    case Qt::Key_Right:
        chooseNeighbor(mirrored ? -1 : 1);
        break;
    case Qt::Key_Down:
    case Qt::Key_PageDown:
        chooseNeighbor(-1);
        break;
    case Qt::Key_Up:
    case Qt::Key_PageUp:
        chooseNeighbor(1);
        break;
    case Qt::Key_Home:
        choose(0);
        break;
    case Qt::Key_End:
        choose(int(m_stops.size()) - 1);
        break;
    default:
        event->ignore();
    }
}

} // namespace meshwright
