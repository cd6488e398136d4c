// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/special_units.h"

#include "quantities/text.h"
#include "quantities/units.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

double si_of(Quantity quantity, std::string_view unit) {
    if (unit == "PFLOP/s-days")
        return 1e15 * 86400;
    const std::vector<Unit> &units = units_of(quantity);
    const auto found = std::find_if(units.begin(), units.end(), [&](const Unit &one) { return one.name == unit; });
    return unit.empty() || found == units.end() ? 1 : found->factor * std::pow(10.0, found->exponent);
}

std::string unit_name(Quantity quantity, std::string_view unit) {
    if (!unit.empty())
        return std::string(unit);
    switch (quantity) {
    case Quantity::tokens:
        return "tokens";
    case Quantity::parameters:
        return "parameters";
    case Quantity::number:
    case Quantity::share:
    case Quantity::count:
        return "1";
    case Quantity::dollars:
        return "$";
    default:
        return units_of(quantity).front().name;
    }
}

std::string exact_text_of(double value, Quantity quantity, std::string_view unit) {
    if (!std::isfinite(value))
        return text_of(value, quantity);
    if (unit.empty())
        return exact_text(value, quantity);
    return with_unit(exact_text(value, Quantity::number), unit);
}

std::optional<double> value_from(std::string_view text, const Symbol &symbol) {
    if (symbol.unit.empty())
        return quantity_from(text, symbol.quantity);
    std::string_view unit = symbol.unit, number = text;
    if (unit.starts_with('$') && text.starts_with('$')) { // "$0.05/GB"
        unit.remove_prefix(1);
        number.remove_prefix(1);
    }
    if (number.ends_with(unit))
        number.remove_suffix(unit.size());
    if (const std::optional<double> bare = quantity_from(number, Quantity::number))
        return bare;
    const std::optional<double> value = quantity_from(text, symbol.quantity);
    return value ? std::optional(*value / si_of(symbol.quantity, symbol.unit)) : std::nullopt;
}

std::string unit_name(const Symbol &symbol) {
    return unit_name(symbol.quantity, symbol.unit);
}

std::string unit_name(const FormulaResult &result) {
    return unit_name(result.quantity, result.unit);
}

std::string value_text(double value, const FormulaResult &result) {
    if (result.unit.empty())
        return text_of(value, result.quantity);
    return with_unit(text_of(value, Quantity::number), result.unit);
}

std::string value_text(double value, const Symbol &symbol) {
    if (value >= 0 && value < static_cast<double>(symbol.choices.size()))
        return std::string(symbol.choices[static_cast<std::size_t>(value)]);
    return exact_text_of(value, symbol.quantity, symbol.unit);
}

} // namespace meshwright
