// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_marks.h"

#include "theme/surfaces.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_axis.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal BandOpacity = 0.24;
constexpr qreal FadeOpacity = 0.72;
constexpr qreal LabelHeight = 22;
constexpr qreal LabelPadding = 8;

QColor withOpacity(QColor colour, qreal opacity) {
    colour.setAlphaF(static_cast<float>(opacity));
    return colour;
}

void paintMeasure(QPainter &painter, const QRectF &plot, const TimelineAxis &axis, const Theme &theme, MarkText text) {
    const TimeRange range = *axis.measured();
    const qreal left = plot.left() + timeToX(range.begin, axis.visible(), plot.width());
    const qreal right = plot.left() + timeToX(range.end, axis.visible(), plot.width());
    if (right < plot.left() || left > plot.right())
        return;
    const QColor accent = theme.colour(ColourRole::Accent);
    const QRectF band = QRectF(QPointF(left, plot.top()), QPointF(right, plot.bottom())).intersected(plot);
    painter.fillRect(band, withOpacity(accent, BandOpacity));
    for (const qreal x : {left, right})
        if (x >= plot.left() && x <= plot.right())
            painter.fillRect(QRectF(std::round(x), plot.top(), 1, plot.height()), accent);
    if (text == MarkText::Left)
        return;
    painter.setFont(theme.font(TypeRole::Body, TextWeight::SemiBold));
    const QString said = QStringLiteral("ΔT ") + durationText(range.length());
    const qreal width = QFontMetricsF(painter.font()).horizontalAdvance(said) + 2 * LabelPadding;
    QRectF label(0, 0, width, LabelHeight);
    label.moveCenter(band.center());
    label.moveLeft(std::clamp(label.left(), plot.left(), std::max(plot.left(), plot.right() - width)));
    label.moveTop(std::max(plot.top(), label.top()));
    surfaces::rounded(painter, label, Theme::radius(Corner::Field), theme.colour(ColourRole::AccentFill));
    painter.setPen(theme.colour(ColourRole::OnAccent));
    painter.drawText(label, Qt::AlignCenter, said);
}

void paintSweep(QPainter &painter, const QRectF &plot, const TimelineAxis &axis, const Theme &theme) {
    const qreal x = plot.left() + timeToX(*axis.sweep(), axis.visible(), plot.width());
    const qreal from = std::clamp(x, plot.left(), plot.right());
    painter.fillRect(QRectF(QPointF(from, plot.top()), plot.bottomRight()),
                     withOpacity(theme.colour(ColourRole::Window), FadeOpacity));
    if (x >= plot.left() && x <= plot.right())
        painter.fillRect(QRectF(std::round(x) - 1, plot.top(), 2, plot.height()), theme.colour(ColourRole::Accent));
}

} // namespace

void paintTimelineMarks(QPainter &painter, const QRectF &plot, const TimelineAxis &axis, const Theme &theme,
                        MarkText text) {
    painter.save();
    painter.setClipRect(plot, Qt::IntersectClip);
    if (axis.sweep())
        paintSweep(painter, plot, axis, theme);
    if (axis.measured())
        paintMeasure(painter, plot, axis, theme, text);
    if (const auto cursor = axis.cursor(); cursor && axis.visible().contains(*cursor)) {
        const qreal x = std::round(plot.left() + timeToX(*cursor, axis.visible(), plot.width())) + 0.5;
        QPen pen(withOpacity(theme.colour(ColourRole::Text), 0.6), 1);
        pen.setDashPattern({2, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
    painter.restore();
}

} // namespace meshwright
