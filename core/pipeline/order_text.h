// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/order.h"

#include <string>
#include <vector>

namespace meshwright {

/// Writes one rank's operations as a row of comma-separated cells. A cell is the stage, then F, I, W or B, then the
/// microbatch ("2F0"), followed by ".slice" if there are slices and "@direction" if there are two directions. A block
/// is "(0F3;7B1)OVERLAP_F_B". Chimera's rows are the paper's grid of unit-time slots, some of them empty. A slot is the
/// pipe, "down" or "up", and "f", "b" or "s" (reduction of a stage's gradients), joined by "@".
std::string order_row(const OperationOrder &order, std::int64_t rank);

/// The text of an operation in a row ("2F0"). For a block, only the half that this operation represents.
std::string operation_text(const OperationOrder &order, const Operation &operation);

} // namespace meshwright
