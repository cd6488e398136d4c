// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/wire.h"

#include <cmath>

namespace meshwright {

namespace {

double binary_entropy(double p) {
    if (p <= 0 || p >= 1)
        return 0;
    return -p * std::log2(p) - (1 - p) * std::log2(1 - p);
}

double index_bits(const Wire &wire) {
    switch (wire.index) {
    case IndexEncoding::bitmap:
        return 1;
    case IndexEncoding::entropy:
        return binary_entropy(wire.density);
    case IndexEncoding::fixed_width:
        return 12 * wire.density;
    case IndexEncoding::raw:
        return 32 * wire.density;
    case IndexEncoding::none:
        break;
    }
    return 0;
}

} // namespace

double bits_per_parameter(const Wire &wire) {
    return wire.density * (wire.bits + wire.scale_bits) + index_bits(wire);
}

} // namespace meshwright
