// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

/// Factor that converts the unit of a symbol or result to SI; 1 for an empty or unknown unit.
double si_of(Quantity quantity, std::string_view unit);

/// Quantity of values in the unit of a symbol or result: a plain number if that is not the SI unit (days, bits).
template <typename SymbolOrResult>
Quantity own_quantity(const SymbolOrResult &about) {
    return about.unit.empty() ? about.quantity : Quantity::number;
}

/// Name of the unit: "bytes", "$/h", "days", or "1" for plain numbers.
std::string unit_name(Quantity quantity, std::string_view unit);

/// The shortest text for a value in the symbol's unit.
std::string exact_text_of(double value, Quantity quantity, std::string_view unit);

/// Parses a value of a symbol. A bare number is in the symbol's own unit; any other text must be an amount with a unit
/// of the same quantity.
std::optional<double> value_from(std::string_view text, const Symbol &symbol);

} // namespace meshwright
