// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/stacked_bars_view.h"
#include "evaluate/result.h"

namespace meshwright {

/// The terms of the step time as all views draw them, indexed by StepTerm; terms of zero length are included.
QVector<StackedSegment> stepSegments(const Step &step);

} // namespace meshwright
