// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantities/text.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// A unit of input or output. One unit is `factor` x 10^`exponent` of the SI unit; the power of ten is separate so that
/// decimal units convert without rounding errors.
struct Unit {
    std::string name;
    int exponent = 0;
    double factor = 1;
    bool printed = false; ///< whether the unit is used for output; other units are only parsed
};

/// Every unit of a quantity, with the SI unit first.
const std::vector<Unit> &units_of(Quantity quantity);

/// Words that may follow a number or its prefix and do not change the value: "tokens", "params".
const std::vector<std::string_view> &nouns_of(Quantity quantity);

/// Description of a quantity for error messages: "an amount of memory".
std::string_view description_of(Quantity quantity);

/// List of units for error messages, with the printed units and other common ones: "B, kB, MB, GB, TB, GiB or Gbit".
std::string_view accepted_units(Quantity quantity);

} // namespace meshwright
