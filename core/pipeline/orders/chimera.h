// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/order.h"

namespace meshwright::orders {

/// The slot of an operation in the paper's grid, in which every pass takes one (arXiv 2107.06925, figure 3).
std::int64_t chimera_slot(std::int64_t ranks, const Operation &operation);

/// Two pipelines make a unit of as many microbatches as stages: their running number, 0 and 1 for the first unit.
std::int64_t chimera_pipe(std::int64_t ranks, const Operation &operation);

} // namespace meshwright::orders
