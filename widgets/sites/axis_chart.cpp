// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/axis_chart.h"

#include "theme/control_states.h"
#include "theme/surfaces.h"
#include "theme/theme.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_layout.h"
#include "timeline/timeline_marks.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace meshwright {
namespace {

constexpr int NameGap = 8;

} // namespace

AxisChart::AxisChart(TimelineAxis *axis, const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_gestures(new TimelineGestures(axis, this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(name);
    connect(axis, &TimelineAxis::changed, this, &AxisChart::forget);
    connect(axis, &TimelineAxis::marksChanged, this, qOverload<>(&QWidget::update));
    connect(Theme::notifier(), &ThemeNotifier::changed, this, &AxisChart::forget);
}

void AxisChart::setRun(const SitesRunPointer &run) {
    m_run = run;
    forget();
}

void AxisChart::forget() {
    m_picture = {};
    m_card.hide();
    update();
}

QRectF AxisChart::plot() const {
    return {timelines::Gutter, 0, std::max(1.0, double(width() - timelines::Gutter - timelines::RightMargin)),
            double(height())};
}

void AxisChart::paintName(QPainter &painter, const Theme &theme, const QString &text, qreal y) const {
    painter.setFont(theme.font(TypeRole::Caption));
    painter.setPen(theme.colour(ColourRole::Text2));
    const QFontMetricsF metrics(painter.font());
    painter.drawText(
        QPointF(plot().left() - NameGap - metrics.horizontalAdvance(text), std::round(y + metrics.capHeight() / 2)),
        text);
}

void AxisChart::paintTick(QPainter &painter, const Theme &theme, const QString &text, qreal y) const {
    QColor line = theme.colour(ColourRole::LineStrong);
    line.setAlphaF(0.35F);
    painter.fillRect(QRectF(plot().left(), std::round(y), plot().width(), 1), line);
    paintName(painter, theme, text, y);
}

void AxisChart::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    const qreal ratio = devicePixelRatioF();
    if (m_picture.isNull()) {
        m_picture = QPixmap(size() * ratio);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(theme.colour(ColourRole::Window));
        QPainter chart(&m_picture);
        if (m_run != nullptr && m_run->drawable)
            paintChart(chart, theme);
    }
    painter.drawPixmap(0, 0, m_picture);
    paintTimelineMarks(painter, plot(), *m_axis, theme, MarkText::Left);
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

void AxisChart::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_gestures->setPlot(plot().left(), plot().width());
    forget();
}

void AxisChart::wheelEvent(QWheelEvent *event) {
    m_gestures->wheel(event);
}

void AxisChart::mousePressEvent(QMouseEvent *event) {
    if (plot().contains(event->position()))
        m_gestures->press(event);
}

void AxisChart::mouseMoveEvent(QMouseEvent *event) {
    if (m_gestures->move(event)) {
        m_card.hide();
        return;
    }
    const bool inside = plot().contains(event->position());
    m_axis->setCursor(inside ? std::optional(timeAt(event->position().x())) : std::nullopt);
    const HoverContent content =
        inside && m_run != nullptr && m_run->drawable ? describe(event->position()) : HoverContent{};
    if (content.title.isEmpty()) {
        m_card.hide();
        return;
    }
    m_card.show(this, event->position().toPoint(), content);
    setAccessibleDescription(content.spoken());
}

void AxisChart::mouseReleaseEvent(QMouseEvent *event) {
    m_gestures->release(event);
}

void AxisChart::keyPressEvent(QKeyEvent *event) {
    if (!m_gestures->key(event))
        event->ignore();
}

void AxisChart::leaveEvent(QEvent *event) {
    QWidget::leaveEvent(event);
    m_axis->setCursor({});
    m_card.hide();
}

void AxisChart::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        forget();
}

} // namespace meshwright
