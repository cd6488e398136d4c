// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantities/text.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Exponents of the base dimensions that quantities of the planner are made of; a test holds every text to them.
struct Dimensions {
    int bytes = 0; ///< bits count as bytes: a factor of 8 is no dimension
    int seconds = 0;
    int flops = 0; ///< floating-point operations
    int dollars = 0;
    int joules = 0;
    bool operator==(const Dimensions &) const = default;
};
Dimensions dimensions_of(Quantity quantity);
/// Of the units below that are not SI too, "1/s" say. @pre one of those that symbols and results name
Dimensions dimensions_of(Quantity quantity, std::string_view unit);

/// One quantity that a formula takes.
struct Symbol {
    std::string_view name; ///< as calculators spell it: "ranks"
    std::string_view letter; ///< as typeset: "N"
    std::string_view meaning;
    Quantity quantity = Quantity::number;
    double low = 0; ///< both ends are allowed
    double high = 1e30;
    bool whole = false;
    std::optional<double> otherwise = std::nullopt; ///< value where an argument is left out; none: it must be given
    std::vector<std::string_view> choices = {}; ///< words for 0, 1, 2, ... where it is a choice
    bool is_list = false; ///< a list of numbers: the last argument, whose numbers a function gets behind the others
    std::string_view unit = {}; ///< that the value is in, where it is not the quantity's SI unit: "days"
};

/// One value that a formula gives.
struct FormulaResult {
    std::string_view name; ///< as calculators print it: "bytes_per_rank"
    std::string_view letter;
    std::string_view meaning;
    Quantity quantity = Quantity::number;
    /// Over the symbols' names, text_functions and text_constants, in muParser's syntax; empty where a procedure gives
    /// it.
    std::string_view text = {};
    std::vector<std::string_view> arguments = {}; ///< symbols that the function takes, in its order
    std::function<double(std::span<const double>)> function = {}; ///< the C++ function that the planner itself calls
    std::string_view unit = {}; ///< that the value is in, where it is not the quantity's SI unit: "days"
};

/// A named formula: symbols, text, function, source.
struct Formula {
    std::string_view id; ///< "ring-all-reduce"
    std::string_view title; ///< "Ring all-reduce"
    std::string_view topic; ///< for grouping: "Communication", "Memory", ...
    std::vector<Symbol> symbols;
    std::vector<FormulaResult> results;
    std::string_view source; ///< paper and equation, or document
    std::string_view notes = {}; ///< where published figures differ, and why; may be empty

    const Symbol *find_symbol(std::string_view name) const;
    const FormulaResult *find_result(std::string_view name) const;
};

/// What texts may call beside muParser's own functions.
struct TextFunction {
    std::string_view name;
    double (*function)(double) = nullptr;
    double (*of_three)(double, double, double) = nullptr; ///< where it takes three arguments instead of one
};
const std::vector<TextFunction> &text_functions();
/// Units that texts may name where a constant carries one; each is worth 1.
struct TextConstant {
    std::string_view name; ///< "bit"
    Quantity quantity;
};
const std::vector<TextConstant> &text_constants();

/// "bytes", "$/h", "days"; "1" where it has none.
std::string unit_name(const Symbol &symbol);
std::string unit_name(const FormulaResult &result);
/// A value as people read it, with its unit.
std::string value_text(double value, const FormulaResult &result);
/// The shortest text that calculate() reads back as this value; a choice's word.
std::string value_text(double value, const Symbol &symbol);

/// Every formula of the program, by topic and title.
const std::vector<Formula> &formulas();
const Formula *find_formula(std::string_view id);

/// One worked example.
struct Calculation {
    struct Value {
        const FormulaResult *result;
        double value;
        std::string substituted; ///< the text with the numbers in it
    };
    const Formula *formula = nullptr;
    std::map<std::string, double, std::less<>> arguments; ///< defaults filled in; a choice is the index of its word
    std::map<std::string, std::vector<double>, std::less<>> lists; ///< those arguments that are lists
    std::vector<Value> values; ///< of the results whose arguments are all there
};

/// Calculates what can be calculated from the arguments: numbers or texts with units, lists by commas.
/// @throws InputError an unknown formula, name or unit, a value out of range, or arguments that give no result; the
///         message lists what is accepted
Calculation calculate(std::string_view id, const std::map<std::string, std::string, std::less<>> &arguments);

/// The text; where a procedure gives the result, its call: "probability(sites, quorum, availability)".
std::string formula_text(const FormulaResult &result);

/// Puts numbers for symbols in it: "2 * (8 - 1) / 8 * 1 GB". Of a case distinction only the case that holds is left.
std::string substituted_text(const Formula &formula, const FormulaResult &result,
                             const std::map<std::string, double, std::less<>> &arguments);

} // namespace meshwright
