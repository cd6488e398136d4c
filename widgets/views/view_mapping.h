// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/memory_bars.h"
#include "canvases/step_bar.h"
#include "canvases/threshold_gauge.h"
#include "evaluate/result.h"

namespace meshwright {

// From a result to what the canvases draw.

MemoryBarsView memoryBarsView(const Memory &memory);
StepBarView stepBarView(const Result &result);
/// Accelerator, node, site and fleet; what coincides shares a mark.
ThresholdGaugeView thresholdGaugeView(const Result &result);

/// "TP8 PP2 DP1": the degrees that are not 1, tensor and pipeline always.
QString layoutText(const Parallelism &parallelism);

// Where the derivation of what is shown is known, as paths of keys in the result's JSON.

/// @param term  as StepBar::termActivated() names it
QString figurePathOf(const QString &term);
QString figurePathOf(int stage, MemoryKind kind);

} // namespace meshwright
