// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantities/text.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// A unit that a value may be written in. One of it is `factor` x 10^`exponent` of the SI unit; the power of ten stands
/// apart so that decimal units convert without a rounding error.
struct Unit {
    std::string name;
    int exponent = 0;
    double factor = 1;
    bool printed = false; ///< used when printing; the others are only understood
};

/// Every unit of a quantity, the SI unit itself first.
const std::vector<Unit> &units_of(Quantity quantity);

/// Words that may follow a number or its prefix without changing it: "tokens", "params".
const std::vector<std::string_view> &nouns_of(Quantity quantity);

/// "an amount of memory", for messages.
std::string_view description_of(Quantity quantity);

/// "B, kB, MB, GB, TB, GiB or Gbit", for messages: the printed units and the usual others.
std::string_view accepted_units(Quantity quantity);

} // namespace meshwright
