// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/wire.h"

#include "formulas/wan.h"

namespace meshwright {

double bits_per_parameter(const Wire &wire) {
    return formula::wire_bits(wire.bits, wire.density, static_cast<double>(wire.index), wire.scale_bits);
}

} // namespace meshwright
