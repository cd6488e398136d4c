// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QIcon>
#include <QPixmap>
#include <QString>

class QPainter;
class QRectF;

namespace meshwright {

/// Icons are line drawings in :/meshwright/icons, on a grid of 20 units, drawn in `currentColor` and tinted here.
namespace icons {

bool exists(const QString &name);

/// Every name that can be drawn.
QStringList names();

/// For actions and buttons. Follows the theme: drawn afresh at every size, pixel ratio and colour that is asked for.
/// Normal is Text2, hovered Text, disabled Text3, checked or selected Accent. An unknown name gives a null icon.
QIcon icon(const QString &name);
/// As above, but normal and hovered have the given colour role.
QIcon icon(const QString &name, ColourRole role);

/// Draws straight onto a painter, sharp at every scale and as vectors into PDF and SVG.
void paint(QPainter &painter, const QRectF &rect, const QString &name, const QColor &colour);

/// `size` is logical pixels; the pixmap holds size x devicePixelRatio pixels.
QPixmap pixmap(const QString &name, const QColor &colour, int size, qreal devicePixelRatio);

} // namespace icons
} // namespace meshwright
