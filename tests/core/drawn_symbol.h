// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace meshwright::testing {

/// Draws a value of a symbol logarithmically from its range, or from a few decades around 1 if the range is wider. The
/// ends of the range and the default are drawn often.
inline double draw(const Symbol &symbol, std::mt19937_64 &random) {
    std::uniform_real_distribution<double> unit(0, 1);
    const double where = unit(random);
    if (where < 0.03)
        return symbol.low;
    if (where < 0.06 && symbol.high < 1e6)
        return symbol.high;
    if (where < 0.1 && symbol.otherwise)
        return *symbol.otherwise;
    const double low = symbol.low < 0 ? symbol.low : std::max(symbol.low, 1e-6);
    const double high = std::min(symbol.high, std::max(low * 10, 1e6));
    const double value =
        low < 0 || high <= 1 ? low + (high - low) * unit(random) : low * std::pow(high / low, unit(random));
    return symbol.whole ? std::clamp(std::round(value), symbol.low, symbol.high) : value;
}

} // namespace meshwright::testing
