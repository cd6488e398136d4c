// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/stages.h"

namespace meshwright {

/// A step takes no less on any number of stages: microbatches x costs are shared by all ranks of a pipeline, and the
/// busiest has no less than its share.
/// @param all  of all layers
double min_step_seconds(const Plan &plan, const LayerCost &all, const Assumptions &assumed, bool admits_paired);

} // namespace meshwright
