// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Bits per parameter on the wire: density x (bits + block scale) + index. Index: a bitmap 1; the entropy bound
/// H(density); 12 bits per kept value within chunks of 4,096 (SparseLoCo, arXiv 2508.15706); 32 bits raw.
double bits_per_parameter(const Wire &wire);

} // namespace meshwright
