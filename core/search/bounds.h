// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/stages.h"

namespace meshwright {

/// Lower bound on step time for any number of stages. The ranks of a pipeline together take microbatches x cost, and
/// the busiest rank takes at least the average.
/// @param all  cost of all layers
double min_step_seconds(const Plan &plan, const LayerCost &all, const Assumptions &assumed, bool admits_paired);

} // namespace meshwright
