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

/// So many places from `low` to `high`, both included. @pre count from 2; logarithmic: low above 0
std::vector<double> places_between(double low, double high, std::size_t count, Spacing spacing);

/// A result of a formula at each of the places of one symbol, its other arguments as given; a default stands for an
/// argument that is not. Not finite where the formula says nothing. @throws InputError an unknown name
std::vector<double> sampled(const Formula &formula, const FormulaResult &result,
                            const std::map<std::string, double, std::less<>> &arguments, std::string_view symbol,
                            std::span<const double> places);

} // namespace meshwright
