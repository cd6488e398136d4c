// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/label_layout.h"
#include "canvases/stacked_bars_painter.h"
#include "canvases/stacked_segment_paint.h"
#include "theme/surfaces.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {

void StackedBarsPainter::paintCapacity(QPainter &painter, const StackedBarsLayout &layout) const {
    const qreal x = std::round(layout.scale.toX(*m_view.capacity));
    const QColor ink = m_theme.colour(ColourRole::Text);
    painter.fillRect(QRectF(x - 1, layout.rows.top() - 3, 2, layout.rows.height() + 6), ink);
    const QFontMetricsF metrics(m_plain);
    const LabelSpan span = centredWithin(x, metrics.horizontalAdvance(m_view.capacityLabel), 0, layout.rows.right());
    painter.setFont(m_plain);
    painter.setPen(m_theme.colour(ColourRole::Text2));
    painter.drawText(QPointF(span.left, layout.rows.top() - 8), m_view.capacityLabel);
}

void StackedBarsPainter::paintGhost(QPainter &painter, const StackedBarsLayout &layout) const {
    const QPen dashed(m_theme.colour(ColourRole::Accent), 2, Qt::DashLine, Qt::FlatCap);
    if (m_view.ghost.size() != m_view.rows.size()) {
        // A preview with a different number of stages cannot be drawn over these rows, but its peak can.
        double peak = 0;
        for (const StackedRow &row : m_view.ghost)
            peak = std::max(peak, row.sum());
        const qreal x = std::round(layout.scale.toX(peak));
        painter.setPen(dashed);
        painter.drawLine(QPointF(x, layout.rows.top()), QPointF(x, layout.rows.bottom()));
        return;
    }
    for (int row = layout.firstVisible(); row < layout.endVisible(); ++row) {
        const QRectF bar = layout.bar(row);
        const qreal strip = bar.height() >= GhostFrom ? GhostHeight : 0;
        double before = 0;
        for (const StackedSegment &segment : m_view.ghost[row].segments) {
            const qreal left = layout.scale.toX(before);
            before += segment.value;
            const QRectF part(left, bar.bottom() - strip, layout.scale.toX(before) - left, strip);
            if (strip > 0 && part.width() > 0)
                painter.fillRect(segments::snapped(painter, part), m_theme.fill(segment.kind));
        }
        const qreal x = std::round(layout.scale.toX(before));
        if (strip > 0) {
            painter.fillRect(QRectF(bar.left(), bar.bottom() - strip - 1, std::max<qreal>(0, x - bar.left()), 1),
                             m_theme.colour(ColourRole::Card));
        }
        painter.setPen(dashed);
        painter.drawLine(QPointF(x, bar.top() - 1), QPointF(x, bar.bottom() + 1));
    }
}

} // namespace meshwright
