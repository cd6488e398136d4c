// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_trace.h"
#include "report/report_parts.h"
#include "timeline/timeline_model.h"

#include <QRectF>

#include <vector>

class QPainter;

namespace meshwright {

class Theme;

inline constexpr qreal PaperRulerHeight = 20;

/// Draws the rows of a timeline within `rect` as vectors. Wide spans are drawn individually. Narrow ones are merged
/// into columns that show the fraction of each style. Idle spans are hatched if they are wide enough for lines.
void paintTimelineRows(QPainter &painter, const QRectF &rect, const TimelineModel &model, const Theme &theme);

/// Each style that occurs, with its fraction of all rows' time.
std::vector<LegendValue> timelineLegend(const TimelineModel &model);

/// Letter of a memory category, as in the bars by stage.
QString stepMemoryLetter(StepMemoryKind kind);

/// Draws a stacked area within `rect` as vectors. A band has the letter of its category if it is thick enough.
/// @param highest  bytes at the top edge
void paintStackedArea(QPainter &painter, const QRectF &rect, const MemoryTrace &trace, double highest,
                      const Theme &theme);

} // namespace meshwright
