// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Bits per parameter on the wire: density x (bits + block scale) + index. Index size per parameter: 1 bit for a
/// bitmap, or the binary entropy of the density for the entropy bound. Index size per sent value: 12 bits within chunks
/// of 4,096 (SparseLoCo, arXiv 2508.15706), or 32 bits raw.
double bits_per_parameter(const Wire &wire);

} // namespace meshwright
