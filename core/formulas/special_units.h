// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

/// What one of a unit that symbols and results name is in SI; 1 where the unit is the quantity's own or has no
/// quantity.
double si_of(Quantity quantity, std::string_view unit);

/// "bytes", "$/h", "days"; "1" for plain numbers.
std::string unit_name(Quantity quantity, std::string_view unit);

/// The shortest text for a value in a symbol's unit.
std::string exact_text_of(double value, Quantity quantity, std::string_view unit);

/// Reads a value of a symbol: a bare number is in the symbol's own unit. Nothing if it is neither that nor an amount of
/// its quantity with a unit.
std::optional<double> value_from(std::string_view text, const Symbol &symbol);

} // namespace meshwright
