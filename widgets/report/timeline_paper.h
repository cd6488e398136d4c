// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_trace.h"
#include "timeline/timeline_model.h"

#include <QRectF>

class QPainter;

namespace meshwright {

class Theme;

/// Draws the rows of a timeline within `rect` as vectors. Spans that are wide enough are drawn individually, others as
/// the fractions of each style in a narrow column.
void paintTimelineRows(QPainter &painter, const QRectF &rect, const TimelineModel &model, const Theme &theme);

/// Draws a stacked area within `rect` as vectors. @param highest  bytes at the top edge
void paintStackedArea(QPainter &painter, const QRectF &rect, const MemoryTrace &trace, double highest,
                      const Theme &theme);

} // namespace meshwright
