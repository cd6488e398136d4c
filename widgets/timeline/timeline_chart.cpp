// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_chart.h"

#include "theme/control_states.h"
#include "theme/surfaces.h"
#include "theme/theme.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_marks.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <optional>

namespace meshwright {

TimelineChart::TimelineChart(TimelineAxis *axis, QWidget *parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_gestures(new TimelineGestures(axis, this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(axis, &TimelineAxis::changed, this, &TimelineChart::forget);
    connect(axis, &TimelineAxis::marksChanged, this, qOverload<>(&QWidget::update));
    connect(Theme::notifier(), &ThemeNotifier::changed, this, &TimelineChart::forget);
}

void TimelineChart::setMeasuring(bool measuring) {
    m_gestures->setMeasuring(measuring);
    setCursor(measuring ? Qt::CrossCursor : Qt::ArrowCursor);
}

void TimelineChart::forget() {
    m_picture = {};
    m_card.hide();
    update();
}

void TimelineChart::clicked(QPointF /*place*/) { }

bool TimelineChart::keyPressed(int /*key*/) {
    return false;
}

void TimelineChart::paintMarks(QPainter &painter, const Theme &theme) const {
    paintTimelineMarks(painter, plot(), *m_axis, theme, MarkText::Left);
}

void TimelineChart::paintFocus(QPainter &painter, const Theme &theme) const {
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

void TimelineChart::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_gestures->setPlot(plot().left(), plot().width());
    forget();
}

void TimelineChart::wheelEvent(QWheelEvent *event) {
    m_gestures->wheel(event);
}

void TimelineChart::mousePressEvent(QMouseEvent *event) {
    if (plot().contains(event->position()))
        m_gestures->press(event);
}

void TimelineChart::mouseMoveEvent(QMouseEvent *event) {
    if (m_gestures->move(event)) {
        m_card.hide();
        return;
    }
    const bool inside = plot().contains(event->position());
    m_axis->setCursor(inside ? std::optional(timeAt(event->position().x())) : std::nullopt);
    const HoverContent content = inside ? describe(event->position()) : HoverContent{};
    if (content.title.isEmpty()) {
        m_card.hide();
        return;
    }
    m_card.show(this, event->position().toPoint(), content);
    setAccessibleDescription(content.spoken());
}

void TimelineChart::mouseReleaseEvent(QMouseEvent *event) {
    if (!m_gestures->release(event) && event->button() == Qt::LeftButton)
        clicked(event->position());
}

void TimelineChart::keyPressEvent(QKeyEvent *event) {
    if (!m_gestures->key(event) && !keyPressed(event->key()))
        event->ignore();
}

void TimelineChart::leaveEvent(QEvent *event) {
    QWidget::leaveEvent(event);
    m_axis->setCursor({});
    m_card.hide();
}

void TimelineChart::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        forget();
}

} // namespace meshwright
