// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/memory_bars.h"
#include "canvases/step_bar.h"
#include "compare/plan_comparison.h"

#include <QStringList>

namespace meshwright {

// The compared plans as rows of bars, drawn like the bars of one plan in the Plan view.

/// For each plan, the memory of the stage with the highest peak. The capacity is a line across all rows only if it is
/// the same for all plans.
MemoryBarsView comparedMemory(const PlanComparison &comparison);
/// Index of the stage that comparedMemory() shows for a plan.
int shownStage(const Result &result);

StepBarView comparedSteps(const PlanComparison &comparison);

} // namespace meshwright
