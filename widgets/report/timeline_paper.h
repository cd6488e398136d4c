// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_trace.h"
#include "timeline/timeline_model.h"

#include <QRectF>

class QPainter;

namespace meshwright {

class Theme;

/// Rows of a timeline within `rect`, as vectors: spans that are wide enough each for itself, the others as what each
/// narrow column consists of.
void paintTimelineRows(QPainter &painter, const QRectF &rect, const TimelineModel &model, const Theme &theme);

/// A stacked area within `rect`, as vectors. @param highest  bytes at its top
void paintStackedArea(QPainter &painter, const QRectF &rect, const MemoryTrace &trace, double highest,
                      const Theme &theme);

} // namespace meshwright
