// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_trace.h"

#include <QImage>

namespace meshwright {

class Theme;

/// What a stacked area is drawn to.
struct StackedAreaScale {
    TimeRange visible; ///< of the picture's width
    double highest = 1; ///< bytes at its top
    double capacity = 0; ///< what lies above stands out; 0: nothing does
};

/// Fills a picture with a trace, kind over kind.
void drawStackedArea(QImage &picture, const MemoryTrace &trace, const StackedAreaScale &scale, const Theme &theme);

} // namespace meshwright
