// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/layer_cost.h"

namespace meshwright {

/// Memory outside PyTorch's allocator: CUDA context, communicators and all-to-all buffers; the same on every rank.
template <Number N>
N outside_bytes(const Plan &plan, const BasicLayerCosts<N> &layers);

/// Minimum reserve for fragmentation, as a fraction of the memory that is allocated and freed within a step.
template <Number N>
N allocator_reserve(const Plan &plan, const Assumptions &assumptions);

/// Memory outside the allocator, library workspace and fragmentation.
/// @param transient  bytes that are allocated and freed within a step: activations, logits and buffers
template <Number N>
N runtime_bytes(const Plan &plan, const Assumptions &assumptions, const N &outside, const N &transient);

/// Memory that the driver reports once the allocator's pool has its full size. Fragmentation takes a few percent even
/// if the allocator returns cached blocks. If the allocator keeps them, its pool grows up to the capacity; the driver
/// reports that memory as used, although the plan does not need it.
/// @param needed  bytes that the rank needs, fragmentation included
template <Number N>
N reserved_bytes(const Plan &plan, const Assumptions &assumptions, const N &needed, const N &transient);

} // namespace meshwright
