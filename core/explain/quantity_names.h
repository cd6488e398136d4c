// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

namespace meshwright {

inline constexpr Quantity time = Quantity::seconds;
inline constexpr Quantity bytes = Quantity::bytes;
inline constexpr Quantity count = Quantity::count;
inline constexpr Quantity flop = Quantity::flops;
inline constexpr Quantity bit_rate = Quantity::bits_per_second;

} // namespace meshwright
