// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/picture_marks.h"

#include "figures/figure_text.h"
#include "theme/surfaces.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QtMath>

#include <algorithm>
#include <cmath>

namespace meshwright::marks {
namespace {

constexpr qreal TokenPadding = 3;

} // namespace

QString secondsText(double seconds) {
    return figureText(seconds, Quantity::seconds);
}

QString bytesText(double bytes) {
    return figureText(bytes, Quantity::bytes);
}

void text(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &line, const QFont &font,
          const QColor &ink) {
    if (line.isEmpty() || QFontMetricsF(font).horizontalAdvance(line) > rect.width())
        return;
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(rect, int(alignment) | Qt::TextSingleLine | Qt::TextDontClip, line);
}

QColor inkOn(const QColor &fill, const Theme &theme) {
    const QColor light = theme.isDark() ? theme.colour(ColourRole::Text) : QColor(Qt::white);
    const QColor dark = theme.isDark() ? theme.label(Kind::Blue) : theme.colour(ColourRole::Text);
    return contrast(light, fill) > contrast(dark, fill) ? light : dark;
}

void arrow(QPainter &painter, const QPainterPath &path, const QColor &colour, qreal width) {
    const qreal length = path.length();
    if (length < 1)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
    painter.drawPath(path);
    const QPointF tip = path.pointAtPercent(1);
    const QPointF before = path.pointAtPercent(std::max(0.0, 1 - ArrowHead / length));
    const qreal angle = std::atan2(tip.y() - before.y(), tip.x() - before.x());
    constexpr qreal spread = M_PI / 7;
    const auto wing = [&](qreal side) {
        return tip - (ArrowHead + width) * QPointF(std::cos(angle + side), std::sin(angle + side));
    };
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF{tip, wing(spread), wing(-spread)});
    painter.restore();
}

void token(QPainter &painter, const QPointF &centre, qreal height, const QString &label, Kind kind, Emphasis emphasis,
           const Theme &theme) {
    const QFont font = theme.font(TypeRole::Caption, TextWeight::SemiBold);
    const QString shown = height < TokenHeight ? QString() : label;
    const qreal wide =
        shown.isEmpty() ? height : std::max(height, QFontMetricsF(font).horizontalAdvance(shown) + 2 * TokenPadding);
    const QRectF tile(centre.x() - wide / 2, centre.y() - height / 2, wide, height);
    if (emphasis == Emphasis::Outlined)
        surfaces::rounded(painter, tile.adjusted(-2, -2, 2, 2), 5, theme.colour(ColourRole::Text));
    surfaces::rounded(painter, tile, 3, theme.fill(kind), theme.colour(ColourRole::Card));
    text(painter, tile, Qt::AlignCenter, shown, font, theme.label(kind));
}

void disc(QPainter &painter, const QPointF &centre, qreal radius, const QString &number, const Theme &theme) {
    const QRectF around(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius);
    surfaces::rounded(painter, around, radius, theme.colour(ColourRole::Raised), theme.colour(ColourRole::LineStrong));
    constexpr qreal room = 40; // width of the text, independent of the size of the disc
    text(painter, QRectF(centre.x() - room / 2, around.top(), room, 2 * radius), Qt::AlignCenter, number,
         theme.font(TypeRole::Caption, TextWeight::Medium), theme.colour(ColourRole::Text));
}

} // namespace meshwright::marks
