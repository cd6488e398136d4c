// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/label_layout.h"
#include "charts/chart_drawing.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QLineF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {
constexpr qreal markRadius = 4;
} // namespace

QFont ChartDrawing::fontOf(const ChartMark &mark) const {
    return mark.place == LabelPlace::Above ? m_font : m_theme.font(TypeRole::Caption, TextWeight::SemiBold);
}

QPointF ChartDrawing::shownAt(const ChartMark &mark) const {
    const QPointF place = at(mark.at);
    return {std::clamp(place.x(), m_plot.left(), m_plot.right()), std::clamp(place.y(), m_plot.top(), m_plot.bottom())};
}

QRectF ChartDrawing::labelOf(const ChartMark &mark) const {
    if (!std::isfinite(mark.at.x()) || !std::isfinite(mark.at.y())
        || (mark.unreached == Unreached::Hidden && !beyond(mark.at).isNull()))
        return {};
    const QFontMetricsF metrics(fontOf(mark));
    const QPointF centre = shownAt(mark);
    const qreal width = std::max(1.0, metrics.horizontalAdvance(mark.text));
    if (mark.place == LabelPlace::Above) {
        const bool above = centre.y() - 10 - metrics.height() > m_plot.top();
        return {centredWithin(centre.x(), width, m_plot.left(), m_plot.right()).left,
                above ? centre.y() - 10 - metrics.ascent() : centre.y() + 8, width, metrics.height()};
    }
    const bool below = mark.place == LabelPlace::RightBelow;
    constexpr qreal apart = 10;
    const qreal left = centre.x() + apart + width < m_plot.right() ? centre.x() + apart : centre.x() - apart - width;
    const qreal top = below ? centre.y() + 6 : centre.y() - 6 - metrics.ascent();
    return {left, std::clamp(top, m_plot.top(), m_plot.bottom() - metrics.height()), width, metrics.height()};
}

void ChartDrawing::paintArrow(QPainter &painter, const QPointF &tip, const QPointF &towards,
                              const ChartInk &ink) const {
    const QLineF way(tip - towards * 2 * markRadius, tip);
    const QLineF across = way.normalVector().unitVector();
    const QPointF side = (across.p2() - across.p1()) * markRadius;
    painter.setPen(QPen(colourOf(ink, m_theme), 1.75));
    painter.setBrush(painter.pen().color());
    painter.drawPolygon(QPolygonF({tip, way.p1() + side, way.p1() - side}));
}

void ChartDrawing::paintMarks(QPainter &painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const ChartMark &mark : m_view.marks)
        paintMark(painter, mark);
    painter.restore();
}

void ChartDrawing::paintMark(QPainter &painter, const ChartMark &mark) const {
    const QRectF label = labelOf(mark);
    if (label.isEmpty())
        return;
    if (mark.span) {
        painter.setPen(QPen(colourOf(mark.ink, m_theme), 2));
        painter.drawLine(at({mark.span->first, mark.at.y()}), at({mark.span->second, mark.at.y()}));
    }
    if (const QPointF out = beyond(mark.at); out.isNull())
        paintDot(painter, shownAt(mark), mark.ink, markRadius);
    else
        paintArrow(painter, shownAt(mark), out, mark.ink);
    if (mark.text.isEmpty())
        return;
    painter.setFont(fontOf(mark));
    if (mark.place != LabelPlace::Above) {
        // Keeps points from showing through the text.
        QColor under = m_theme.colour(ColourRole::Card);
        under.setAlphaF(0.8F);
        surfaces::rounded(painter, label.adjusted(-2, 0, 2, 0), 3, under);
    }
    painter.setPen(m_theme.colour(ColourRole::Text));
    painter.drawText(QPointF(label.left(), label.top() + QFontMetricsF(painter.font()).ascent()), mark.text);
}

void ChartDrawing::paintLabels(QPainter &painter) const {
    QVector<QPointF> dots;
    qreal radius = 0;
    for (const ChartDots &each : m_view.dots) {
        radius = std::max(radius, each.radius);
        for (const QPointF &point : each.points)
            dots.append(at(point));
    }
    QVector<QRectF> taken;
    painter.save();
    painter.setFont(m_font);
    painter.setPen(m_theme.colour(ColourRole::Text2));
    for (const ChartLabel &label : m_view.labels) {
        constexpr qreal apart = 6;
        const QPointF place = at(label.at);
        const QSizeF size(m_metrics.horizontalAdvance(label.text), m_metrics.height());
        for (const qreal left : {place.x() + apart, place.x() - apart - size.width()}) {
            const QRectF area(QPointF(left, place.y() - size.height() / 2), size);
            const auto covers = [&](const QPointF &dot) {
                return area.adjusted(-radius, -radius, radius, radius).contains(dot);
            };
            const bool isFree = m_plot.contains(area) && std::none_of(dots.cbegin(), dots.cend(), covers)
                && std::none_of(taken.cbegin(), taken.cend(),
                                [&](const QRectF &each) { return each.intersects(area); });
            if (!isFree)
                continue;
            painter.drawText(QPointF(left, area.top() + m_metrics.ascent()), label.text);
            taken.append(area);
            break;
        }
    }
    painter.restore();
}

} // namespace meshwright
