// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/control_states.h"
#include "theme/theme.h"

#include <QRectF>

class QPainter;

namespace meshwright {

/// Basic shapes of all controls. Rectangles are in logical pixels.
namespace surfaces {

struct Interaction {
    bool enabled = true;
    bool hovered = false;
    bool pressed = false;
    bool checked = false;
    bool focused = false;
};

/// Draws a filled rounded rectangle. If `line` is valid, a hairline is drawn inside `rect`.
void rounded(QPainter &painter, const QRectF &rect, qreal radius, const QColor &fill, const QColor &line = {},
             qreal lineWidth = 1);

void focusRing(QPainter &painter, const QRectF &rect, qreal radius, const Theme &theme);

void field(QPainter &painter, const QRectF &rect, const Theme &theme, FieldState state, const Interaction &interaction);

void button(QPainter &painter, const QRectF &rect, const Theme &theme, ButtonRole role, const Interaction &interaction);
QColor buttonInk(const Theme &theme, ButtonRole role, const Interaction &interaction);

/// Square check box mark and round radio button mark, 16 × 16 within `rect`.
void checkBox(QPainter &painter, const QRectF &rect, const Theme &theme, const Interaction &interaction, bool partial);
void radioButton(QPainter &painter, const QRectF &rect, const Theme &theme, const Interaction &interaction);

/// Diagonal hatching for headroom, bubbles, idle time and parts that do not fit. `background` may be invalid.
void hatch(QPainter &painter, const QRectF &rect, const QColor &line, const QColor &background = {});

/// Draws a soft shadow around a popup whose surface is `rect`. It extends `spread` logical pixels beyond `rect`.
void shadow(QPainter &painter, const QRectF &rect, qreal radius, int spread, const Theme &theme);

} // namespace surfaces
} // namespace meshwright
