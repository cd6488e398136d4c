// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/axis_chart.h"

#include "theme/picture_ratio.h"
#include "theme/theme.h"
#include "timeline/timeline_layout.h"
#include "timeline/timeline_marks.h"

#include <QPainter>

#include <cmath>

namespace meshwright {
namespace {

constexpr int NameGap = 8;

} // namespace

AxisChart::AxisChart(TimelineAxis *axis, const QString &name, QWidget *parent)
    : TimelineChart(axis, parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(name);
}

void AxisChart::setRun(const SitesRunPointer &run) {
    m_run = run;
    forget();
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
    const qreal ratio = pictureRatio(this);
    if (m_picture.isNull() || m_picture.devicePixelRatio() != ratio) {
        m_picture = QImage(size() * ratio, QImage::Format_RGB32);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(theme.colour(ColourRole::Window));
        QPainter chart(&m_picture);
        if (m_run != nullptr && m_run->drawable)
            paintChart(chart, theme);
    }
    painter.drawImage(0, 0, m_picture);
    paintMarks(painter, theme);
    paintFocus(painter, theme);
}

HoverContent AxisChart::describe(QPointF place) const {
    return m_run != nullptr && m_run->drawable ? describeRun(place) : HoverContent{};
}

} // namespace meshwright
