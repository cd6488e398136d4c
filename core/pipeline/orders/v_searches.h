// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/order.h"

#include <optional>

namespace meshwright::orders {

/// Two chunks in a V under a memory limit and with any times: the greedy search of arXiv 2405.15362, section 4.
/// @param limit  in activations of one chunk, of which a weight gradient keeps half
/// @returns nothing where the limit leaves the search no room
std::optional<OperationOrder> v_greedy(const OrderRequest &request, double limit);

/// V-Half and V-Min, as `request.schedule` says: a pattern repeated and squeezed (arXiv 2405.15362, section 3).
OperationOrder v_compact(const OrderRequest &request);

} // namespace meshwright::orders
