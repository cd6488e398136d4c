// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QIcon>
#include <QPixmap>
#include <QString>

class QPainter;
class QRectF;

namespace meshwright {

/// Icons are line drawings in :/meshwright/icons on a 20-unit grid. They use `currentColor`, which is replaced here.
namespace icons {

bool exists(const QString &name);

QStringList names();

/// An icon for actions and buttons. It follows the theme and is rendered for each requested size, pixel ratio and
/// color: Text2 when normal, Text when hovered, Text3 when disabled, Accent when checked or selected. Null for an
/// unknown name.
QIcon icon(const QString &name);
/// The same icon in the given color role when normal or hovered.
QIcon icon(const QString &name, ColourRole role);

/// Draws directly with a painter: sharp at every scale, and as vectors in PDF and SVG.
void paint(QPainter &painter, const QRectF &rect, const QString &name, const QColor &colour);

/// `size` is in logical pixels; the pixmap has size × devicePixelRatio pixels.
QPixmap pixmap(const QString &name, const QColor &colour, int size, qreal devicePixelRatio);

} // namespace icons
} // namespace meshwright
