// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/stacked_segment_paint.h"

#include "theme/surfaces.h"

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>

#include <cmath>

namespace meshwright::segments {
namespace {

constexpr qreal ThinRow = 9;

} // namespace

QRectF snapped(const QPainter &painter, const QRectF &rect) {
    if (!painter.paintEngine() || painter.paintEngine()->type() != QPaintEngine::Raster)
        return rect;
    const qreal ratio = painter.device()->devicePixelRatioF();
    const auto snap = [ratio](qreal value) { return std::round(value * ratio) / ratio; };
    QRectF result(QPointF(snap(rect.left()), snap(rect.top())), QPointF(snap(rect.right()), snap(rect.bottom())));
    // A value above 0 is drawn at least one pixel wide, so that it is visible.
    if (rect.width() > 0 && result.width() <= 0)
        result.setWidth(1 / ratio);
    return result;
}

void fill(QPainter &painter, const QRectF &rect, const StackedSegment &segment, const QColor &colour,
          const Theme &theme) {
    if (segment.fill == SegmentFill::Hatched) {
        absent(painter, rect, mixed(theme.colour(ColourRole::LineStrong), theme.colour(ColourRole::Card), 0.35),
               theme.colour(ColourRole::Card));
        return;
    }
    if (rect.height() >= ThinRow && rect.width() > 4)
        surfaces::rounded(painter, rect, 2, colour);
    else
        painter.fillRect(rect, colour);
    if (segment.fill == SegmentFill::Striped && rect.height() >= ThinRow)
        surfaces::hatch(painter, rect, mixed(colour, theme.label(segment.kind), 0.45));
}

void absent(QPainter &painter, const QRectF &rect, const QColor &line, const QColor &background) {
    if (rect.height() >= ThinRow)
        surfaces::hatch(painter, rect, line, background);
    else
        painter.fillRect(rect, mixed(background, line, 0.35));
}

} // namespace meshwright::segments
