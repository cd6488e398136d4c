// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/memory_bars.h"
#include "canvases/step_bar.h"
#include "canvases/threshold_gauge.h"
#include "evaluate/result.h"

namespace meshwright {

// Converts results into what the canvases draw.

MemoryBarsView memoryBarsView(const Memory &memory);
StepBarView stepBarView(const Result &result);
/// H100-equivalents of accelerator, node, site and fleet; equal values share a marker.
ThresholdGaugeView thresholdGaugeView(const Result &result);

/// Text of a parallel configuration, "TP8 PP2 DP1": degrees of 1 are omitted, except tensor and pipeline.
QString degreesText(const Parallelism &parallelism);

// Figures that the canvases show, as paths of keys in the result's JSON.

/// @param term  id as given by StepBar::termActivated()
QString figurePathOf(const QString &term);
QString figurePathOf(int stage, MemoryKind kind);

} // namespace meshwright
