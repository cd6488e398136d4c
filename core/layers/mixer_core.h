// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/operations.h"

namespace meshwright {

/// The operation of a mixer that combines tokens: attention with its rotary embedding, or a recurrence.
/// @pre the block has a mixer
template <Number N>
BasicLayerOperation<N> core_operation(const Mixer &mixer, const BasicRankShape<N> &shape, const BasicDevice<N> &device,
                                      const Stack &stack);

} // namespace meshwright
