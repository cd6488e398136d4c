// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/stacked_bars_view.h"
#include "evaluate/result.h"

namespace meshwright {

/// The nine terms of a step as they are drawn everywhere, indexed by StepTerm; those of no length keep their place.
QVector<StackedSegment> stepSegments(const Step &step);

} // namespace meshwright
