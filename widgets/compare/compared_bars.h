// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/memory_bars.h"
#include "canvases/step_bar.h"
#include "compare/plan_comparison.h"

#include <QStringList>

namespace meshwright {

// The compared plans as rows of the bars that the Plan view draws for one plan.

/// The stage with peak memory of every plan. The capacity is a line over all rows only if all plans have the same.
MemoryBarsView comparedMemory(const PlanComparison &comparison);
/// Index of the stage that comparedMemory() shows for a plan.
int shownStage(const Result &result);

StepBarView comparedSteps(const PlanComparison &comparison);

} // namespace meshwright
