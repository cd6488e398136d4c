// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/order.h"

#include <string>
#include <vector>

namespace meshwright {

/// One rank's operations as a row of comma-separated cells: stage, F, I, W or B, microbatch ("2F0"), followed by
/// ".slice" with slices and "@direction" with two directions. A block is "(0F3;7B1)OVERLAP_F_B". Chimera's rows are the
/// paper's grid: unit-time slots "pipe@down|up@f|b|s", with empty cells in between; s reduces a stage's gradients.
std::string order_row(const OperationOrder &order, std::int64_t rank);

/// "2F0", an operation as in a row; for one half of a block, only that half.
std::string operation_text(const OperationOrder &order, const Operation &operation);

} // namespace meshwright
