// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/catalogue.h"

namespace meshwright::catalogue {

namespace {

struct Bounds {
    double low;
    double high;
};

/// Bounds that no plan exceeds. They also keep all results within the range of double.
Bounds bounds_of(Quantity quantity) {
    switch (quantity) {
    case Quantity::share:
        return {1e-9, 1};
    case Quantity::count:
        return {1, 1e9};
    case Quantity::bytes:
        return {1e-6, 1e24};
    case Quantity::seconds:
        return {1e-12, 1e12};
    case Quantity::bytes_per_second:
    case Quantity::bits_per_second:
        return {1, 1e18};
    case Quantity::flops:
        return {1e-3, 1e36};
    case Quantity::flops_per_second:
        return {1, 1e21};
    case Quantity::parameters:
        return {1, 1e18};
    case Quantity::tokens:
        return {1, 1e21};
    case Quantity::watts:
        return {1e-3, 1e12};
    case Quantity::joules:
        return {1e-3, 1e24};
    case Quantity::dollars:
        return {1e-6, 1e18};
    case Quantity::dollars_per_hour:
    case Quantity::dollars_per_kilowatt_hour:
        return {1e-9, 1e9};
    case Quantity::number:
        break;
    }
    return {1e-12, 1e18};
}

} // namespace

Symbol amount(Quantity quantity, std::string_view name, std::string_view letter, std::string_view meaning) {
    const Bounds bounds = bounds_of(quantity);
    return {.name = name,
            .letter = letter,
            .meaning = meaning,
            .quantity = quantity,
            .low = bounds.low,
            .high = bounds.high};
}

Symbol whole(std::string_view name, std::string_view letter, std::string_view meaning, double low, double high) {
    return {.name = name,
            .letter = letter,
            .meaning = meaning,
            .quantity = Quantity::count,
            .low = low,
            .high = high,
            .whole = true};
}

Symbol real(std::string_view name, std::string_view letter, std::string_view meaning, double low, double high) {
    return {.name = name, .letter = letter, .meaning = meaning, .quantity = Quantity::number, .low = low, .high = high};
}

Symbol flag(std::string_view name, std::string_view letter, std::string_view meaning) {
    Symbol symbol = real(name, letter, meaning, 0, 1);
    symbol.whole = true;
    return symbol;
}

Symbol choice(std::string_view name, std::string_view letter, std::string_view meaning,
              std::vector<std::string_view> words) {
    Symbol symbol = real(name, letter, meaning, 0, static_cast<double>(words.size()) - 1);
    symbol.whole = true;
    symbol.choices = std::move(words);
    return symbol;
}

Symbol or_zero(Symbol symbol) {
    symbol.low = 0;
    return symbol;
}

Symbol otherwise(Symbol symbol, double value) {
    symbol.otherwise = value;
    return symbol;
}

Symbol per_parameter(std::string_view name, std::string_view letter, std::string_view meaning, double value) {
    return otherwise(or_zero(amount(Quantity::bytes, name, letter, meaning)), value);
}

Symbol in(std::string_view unit, Symbol symbol) {
    symbol.unit = unit;
    return symbol;
}

FormulaResult in(std::string_view unit, FormulaResult result) {
    result.unit = unit;
    return result;
}

FormulaResult procedure(FormulaResult about, std::vector<std::string_view> arguments,
                        double (*function)(std::span<const double>)) {
    about.arguments = std::move(arguments);
    about.function = function;
    about.formula = [](std::span<const Expression>) { return Expression::opaque(); };
    return about;
}

} // namespace meshwright::catalogue
