// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

enum class Spacing { linear, logarithmic };

/// Evenly spaced values from `low` to `high`, including both. @pre count >= 2, and low > 0 if logarithmic
std::vector<double> places_between(double low, double high, std::size_t count, Spacing spacing);

/// A result of a formula at each value of one symbol, with the other arguments given or at their defaults. The
/// result is not finite outside the formula's domain. @throws InputError for an unknown or missing name
std::vector<double> sampled(const Formula &formula, const FormulaResult &result,
                            const std::map<std::string, double, std::less<>> &arguments, std::string_view symbol,
                            std::span<const double> places);

} // namespace meshwright
