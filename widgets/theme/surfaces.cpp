// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/surfaces.h"

#include "theme/icon.h"

#include <QPainter>
#include <QPainterPath>
#include <QPen>

#include <algorithm>
#include <cmath>

namespace meshwright::surfaces {
namespace {

QColor disabledFill(const Theme &theme) {
    return mixed(theme.colour(ColourRole::Field), theme.colour(ColourRole::Card), 0.5);
}

QColor disabledInk(const Theme &theme) {
    return mixed(theme.colour(ColourRole::Text3), theme.colour(ColourRole::Card), 0.35);
}

} // namespace

void rounded(QPainter &painter, const QRectF &rect, qreal radius, const QColor &fill, const QColor &line,
             qreal lineWidth) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF inner = rect;
    if (line.isValid()) {
        // A pen is centered on its path. Insetting the path by half the pen's width keeps a hairline on whole pixels
        // and inside the rectangle.
        const qreal half = lineWidth / 2;
        inner.adjust(half, half, -half, -half);
        painter.setPen(QPen(line, lineWidth));
        radius = std::max<qreal>(0, radius - half);
    } else {
        painter.setPen(Qt::NoPen);
    }
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    const qreal most = std::min(inner.width(), inner.height()) / 2;
    painter.drawRoundedRect(inner, std::min(radius, most), std::min(radius, most));
    painter.restore();
}

void focusRing(QPainter &painter, const QRectF &rect, qreal radius, const Theme &theme) {
    rounded(painter, rect, radius, {}, theme.colour(ColourRole::Focus), 2);
}

void field(QPainter &painter, const QRectF &rect, const Theme &theme, FieldState state,
           const Interaction &interaction) {
    const qreal radius = Theme::radius(Corner::Field);
    if (!interaction.enabled) {
        rounded(painter, rect, radius, disabledFill(theme));
        return;
    }
    const QColor fill = interaction.hovered && !interaction.focused
        ? mixed(theme.colour(ColourRole::Field), theme.colour(ColourRole::Raised), 0.6)
        : theme.colour(ColourRole::Field);
    if (state == FieldState::Rejected)
        rounded(painter, rect, radius, fill, theme.colour(ColourRole::Bad), 2);
    else if (state == FieldState::Warning)
        rounded(painter, rect, radius, fill, theme.colour(ColourRole::Warn), 2);
    else if (interaction.focused)
        rounded(painter, rect, radius, fill, theme.colour(ColourRole::Focus), 2);
    else
        rounded(painter, rect, radius, fill);
}

void button(QPainter &painter, const QRectF &rect, const Theme &theme, ButtonRole role,
            const Interaction &interaction) {
    const qreal radius = Theme::radius(Corner::Button);
    QRectF surface = rect;
    QColor fill;
    QColor line;
    switch (role) {
    case ButtonRole::Primary:
        fill = theme.colour(ColourRole::AccentFill);
        if (interaction.pressed)
            fill = mixed(fill, Qt::black, 0.16);
        else if (interaction.hovered)
            fill = mixed(fill, theme.isDark() ? Qt::white : Qt::black, 0.08);
        if (interaction.focused && interaction.enabled)
            surface.adjust(3, 3, -3, -3);
        break;
    case ButtonRole::Default:
        fill = theme.colour(ColourRole::Field);
        if (interaction.pressed)
            fill = mixed(theme.colour(ColourRole::Raised), theme.colour(ColourRole::LineStrong), 0.15);
        else if (interaction.hovered || interaction.checked)
            fill = theme.colour(ColourRole::Raised);
        break;
    case ButtonRole::Outline:
        line = theme.colour(interaction.hovered ? ColourRole::LineStrong : ColourRole::Line);
        [[fallthrough]];
    case ButtonRole::Flat:
        if (interaction.pressed)
            fill = theme.colour(ColourRole::Raised);
        else if (interaction.hovered)
            fill = theme.colour(ColourRole::Field);
        if (interaction.checked)
            fill = theme.colour(ColourRole::AccentSoft);
        break;
    }
    if (!interaction.enabled) {
        fill = role == ButtonRole::Flat ? QColor() : disabledFill(theme);
        line = QColor();
    }
    rounded(painter, surface, surface == rect ? radius : radius - 2, fill, line);
    if (interaction.focused && interaction.enabled)
        focusRing(painter, rect, radius, theme);
}

QColor buttonInk(const Theme &theme, ButtonRole role, const Interaction &interaction) {
    if (!interaction.enabled)
        return disabledInk(theme);
    if (role == ButtonRole::Primary)
        return theme.colour(ColourRole::OnAccent);
    if (role == ButtonRole::Flat && interaction.checked)
        return theme.colour(ColourRole::Accent);
    return theme.colour(ColourRole::Text);
}

void checkBox(QPainter &painter, const QRectF &rect, const Theme &theme, const Interaction &interaction, bool partial) {
    QRectF box(0, 0, 16, 16);
    box.moveCenter(rect.center());
    box.moveTo(std::round(box.x()), std::round(box.y()));
    const bool marked = interaction.checked || partial;
    if (!interaction.enabled)
        rounded(painter, box, 4, disabledFill(theme), theme.colour(ColourRole::Line));
    else if (marked)
        rounded(painter, box, 4, theme.colour(ColourRole::AccentFill));
    else
        rounded(painter, box, 4, theme.colour(ColourRole::Field),
                theme.colour(interaction.hovered ? ColourRole::Text3 : ColourRole::LineStrong));
    if (marked) {
        const QColor ink = interaction.enabled ? theme.colour(ColourRole::OnAccent) : disabledInk(theme);
        icons::paint(painter, box.adjusted(1.5, 1.5, -1.5, -1.5),
                     partial ? QStringLiteral("minus") : QStringLiteral("ok"), ink);
    }
}

void radioButton(QPainter &painter, const QRectF &rect, const Theme &theme, const Interaction &interaction) {
    QRectF circle(0, 0, 16, 16);
    circle.moveCenter(rect.center());
    circle.moveTo(std::round(circle.x()), std::round(circle.y()));
    const QColor ring = !interaction.enabled ? theme.colour(ColourRole::Line)
        : interaction.checked                ? theme.colour(ColourRole::Accent)
                                             : theme.colour(ColourRole::LineStrong);
    rounded(painter, circle, 8, theme.colour(ColourRole::Field), ring, interaction.checked ? 2 : 1);
    if (interaction.checked)
        rounded(painter, circle.adjusted(5, 5, -5, -5), 3, ring);
}

void hatch(QPainter &painter, const QRectF &rect, const QColor &line, const QColor &background) {
    if (rect.width() <= 0 || rect.height() <= 0)
        return;
    constexpr qreal Spacing = 6;
    painter.save();
    if (background.isValid())
        painter.fillRect(rect, background);
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, 1.1));
    // Align the lines to the origin of the device rather than to the rectangle. Then adjacent areas join, and lines do
    // not move when a segment is resized.
    const qreal first = std::floor((rect.left() + rect.top()) / Spacing) * Spacing;
    QList<QLineF> lines;
    // Each line is cut to the rectangle, because an SVG writer ignores the clip.
    for (qreal sum = first; sum < rect.right() + rect.bottom() + Spacing; sum += Spacing) {
        const qreal right = std::min(rect.right(), sum - rect.top());
        const qreal left = std::max(rect.left(), sum - rect.bottom());
        if (right > left)
            lines.append(QLineF(right, sum - right, left, sum - left));
    }
    painter.drawLines(lines);
    painter.restore();
}

void shadow(QPainter &painter, const QRectF &rect, qreal radius, int spread, const Theme &theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QColor colour = theme.colour(ColourRole::Shadow);
    const qreal full = colour.alphaF();
    QPainterPath hole;
    hole.addRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    for (int step = spread; step > 0; --step) {
        const qreal rest = 1.0 - qreal(step - 1) / spread;
        colour.setAlphaF(float(full * rest * rest * 2.0 / spread));
        QPainterPath ring;
        ring.addRoundedRect(rect.adjusted(-step, -step + 2, step, step + 2), radius + step, radius + step);
        painter.setBrush(colour);
        painter.drawPath(ring.subtracted(hole));
    }
    painter.restore();
}

} // namespace meshwright::surfaces
