// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/order.h"

#include <optional>

namespace meshwright::orders {

/// Searches for an operation order for a V-shaped schedule with two chunks per rank, under a memory limit and with
/// arbitrary times. Uses the greedy method of arXiv 2405.15362, section 4.
/// @param limit in units of one chunk's activations, half of which stay saved until the weight gradient
/// @returns nothing if the limit is too small for the search
std::optional<OperationOrder> v_greedy(const OrderRequest &request, double limit);

/// Builds V-Half or V-Min, according to `request.schedule`, by repeating and squeezing a pattern (arXiv 2405.15362,
/// section 3).
OperationOrder v_compact(const OrderRequest &request);

} // namespace meshwright::orders
