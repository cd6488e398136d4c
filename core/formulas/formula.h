// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/expression.h"
#include "quantities/text.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Exponents of the base dimensions of a quantity. A test checks every formula text against them.
struct Dimensions {
    int bytes = 0; ///< exponent of bytes; bits count as bytes, because a factor of 8 is not a dimension
    int seconds = 0;
    int flops = 0;
    int dollars = 0;
    int joules = 0;
    bool operator==(const Dimensions &) const = default;
};
Dimensions dimensions_of(Quantity quantity);
/// Dimensions of a value in a unit other than the quantity's SI unit, such as "1/s". @pre the unit is that of a symbol
/// or result
Dimensions dimensions_of(Quantity quantity, std::string_view unit);

struct Symbol {
    std::string_view name; ///< name on the command line, such as "ranks"
    std::string_view letter; ///< letter in typeset formulas, such as "N"
    std::string_view meaning;
    Quantity quantity = Quantity::number;
    double low = 0; ///< minimum value, inclusive; `high` is inclusive too
    double high = 1e30;
    bool whole = false;
    std::optional<double> otherwise = std::nullopt; ///< default value; unset if the argument is required
    /// Words for the values 0, 1, 2, … of a choice; empty for other arguments.
    std::vector<std::string_view> choices = {};
    bool is_list = false; ///< takes a list of numbers and must be the last argument
    std::string_view unit = {}; ///< unit ("days"), if it is not the SI unit
};

struct FormulaResult {
    std::string_view name; ///< name on the command line, such as "bytes_per_rank"
    std::string_view letter;
    std::string_view meaning;
    Quantity quantity = Quantity::number;
    std::vector<std::string_view> arguments = {}; ///< names of symbols, in the order of the function's parameters
    std::function<double(std::span<const double>)> function =
        {}; ///< evaluates the same C++ function that the planner calls
    /// The function applied to expressions, which generates the formula's text.
    std::function<Expression(std::span<const Expression>)> formula = {};
    std::string_view unit = {}; ///< unit ("days"), if it is not the SI unit
    const void *identity = nullptr; ///< address of the FormulaFunction, which identifies it

    /// The formula in terms of its symbols' names. A simulation appears only as a call.
    Expression expression() const;
};

struct Formula {
    std::string_view id;
    std::string_view title;
    std::string_view topic; ///< heading in the list of formulas: "Communication", "Memory", …
    std::vector<Symbol> symbols;
    std::vector<FormulaResult> results;
    std::string_view source; ///< source: paper and equation, or document
    std::string_view notes = {}; ///< published figures that differ, with the reason; may be empty

    const Symbol *find_symbol(std::string_view name) const;
    const FormulaResult *find_result(std::string_view name) const;
};

/// Function that formula texts may call in addition to muParser's built-in ones.
struct TextFunction {
    std::string_view name;
    Expression::Function value = nullptr;
    double (*function)(double) = nullptr;
    /// Set instead of `function` for a function of three arguments
    double (*of_three)(double, double, double) = nullptr;
};
const std::vector<TextFunction> &text_functions();
/// Name of the unit, such as "bytes", "$/h" or "days"; "1" for a dimensionless value.
std::string unit_name(const Symbol &symbol);
std::string unit_name(const FormulaResult &result);
std::string value_text(double value, const FormulaResult &result);
/// The shortest text that calculate() parses back to this value. For a choice, its word.
std::string value_text(double value, const Symbol &symbol);

/// All formulas, sorted by topic and title.
const std::vector<Formula> &formulas();
const Formula *find_formula(std::string_view id);

struct Calculation {
    struct Value {
        const FormulaResult *result;
        double value;
        std::string substituted; ///< the formula with numbers in place of symbols
    };
    const Formula *formula = nullptr;
    /// Includes defaults. A choice is given by the index of its word.
    std::map<std::string, double, std::less<>> arguments;
    std::map<std::string, std::vector<double>, std::less<>> lists;
    std::vector<Value> values; ///< values of the results whose arguments are all given
};

/// Evaluates every result whose arguments are given. Arguments are numbers, or texts with units; lists are
/// comma-separated.
/// @throws InputError for an unknown formula, name or unit, a value out of range, or too few arguments for any result.
/// The message lists the accepted names or values.
Calculation calculate(std::string_view id, const std::map<std::string, std::string, std::less<>> &arguments);

/// The formula in muParser's syntax. For a simulation, its call: "probability(sites, quorum, availability)".
std::string formula_text(const FormulaResult &result);

/// The formula with numbers in place of symbols: "2 * (8 - 1) / 8 * 1 GB". A conditional is reduced to the branch that
/// applies.
std::string substituted_text(const Formula &formula, const FormulaResult &result,
                             const std::map<std::string, double, std::less<>> &arguments);

} // namespace meshwright
