// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/stacked_bars_view.h"

#include <QColor>
#include <QRectF>

class QPainter;

namespace meshwright {

class Theme;

namespace segments {

/// Moves edges to whole device pixels if the device has pixels. Neighbors still share an edge.
QRectF snapped(const QPainter &painter, const QRectF &rect);

void fill(QPainter &painter, const QRectF &rect, const StackedSegment &segment, const QColor &colour,
          const Theme &theme);

/// Paints a hatch, or a flat tint if the rectangle is too thin for lines.
void absent(QPainter &painter, const QRectF &rect, const QColor &line, const QColor &background);

} // namespace segments
} // namespace meshwright
