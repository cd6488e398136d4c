// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Bits per parameter on the wire: density x (bits + block scale) + index. The index takes 1 bit as a bitmap,
/// H(density) by the entropy bound, or per kept value 12 bits within chunks of 4,096 (SparseLoCo, arXiv 2508.15706) or
/// 32 raw bits.
double bits_per_parameter(const Wire &wire);

} // namespace meshwright
