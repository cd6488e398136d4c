// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_trace.h"

#include <QImage>

namespace meshwright {

class Theme;

struct StackedAreaScale {
    TimeRange visible; ///< time range that spans the width of the picture
    double highest = 1; ///< bytes at the top edge of the picture
    double capacity = 0; ///< memory above this number of bytes is highlighted; 0: no capacity
};

/// Draws the kinds of memory in a trace, stacked from the bottom up.
void drawStackedArea(QImage &picture, const MemoryTrace &trace, const StackedAreaScale &scale, const Theme &theme);

} // namespace meshwright
