// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/picture_canvas.h"

#include "theme/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace meshwright {

PictureCanvas::PictureCanvas(QWidget *parent)
    : QWidget(parent) {
    setMouseTracking(true);
    connect(Theme::notifier(), &ThemeNotifier::changed, this, qOverload<>(&QWidget::update));
}

void PictureCanvas::setScene(const PictureScene *scene) {
    m_scene = scene;
    m_card.hide();
    update();
}

void PictureCanvas::setMoment(const PictureMoment &moment) {
    const bool isOtherStep = moment.step != m_moment.step;
    m_moment = moment;
    if (isOtherStep && underMouse())
        describe();
    update();
}

void PictureCanvas::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    m_scene->paint(painter, rect(), m_moment, theme);
    if (m_lit.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    constexpr qreal line = 2.5;
    constexpr qreal halo = 5; // separates the line from fills of a similar color
    const QPainterPath outline = m_scene->outlineOf(m_lit, rect(), m_moment.step);
    painter.strokePath(outline, {theme.colour(ColourRole::Card), halo, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin});
    painter.strokePath(outline, {theme.colour(ColourRole::Focus), line, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin});
}

void PictureCanvas::light(const QString &parameter) {
    m_lit = parameter;
    update();
}

void PictureCanvas::describe() {
    const HoverContent content = m_scene->describe(m_pointer, rect(), m_moment.step);
    if (content.title.isEmpty())
        m_card.hide();
    else
        m_card.show(this, m_pointer, content);
}

void PictureCanvas::mouseMoveEvent(QMouseEvent *event) {
    m_pointer = event->pos();
    describe();
}

void PictureCanvas::leaveEvent(QEvent *) {
    m_card.hide();
}

void PictureCanvas::hideEvent(QHideEvent *event) {
    m_card.hide();
    QWidget::hideEvent(event);
}

} // namespace meshwright
