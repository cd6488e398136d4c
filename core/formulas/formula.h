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

/// Exponents of the base dimensions of the planner's quantities. A test checks every formula text against them.
struct Dimensions {
    int bytes = 0; ///< bits count as bytes: a factor of 8 is not a dimension
    int seconds = 0;
    int flops = 0; ///< exponent of floating-point operations
    int dollars = 0;
    int joules = 0;
    bool operator==(const Dimensions &) const = default;
};
Dimensions dimensions_of(Quantity quantity);
/// Dimensions of a value whose unit differs from the quantity's SI unit, such as "1/s". @pre a symbol or result names
/// the unit
Dimensions dimensions_of(Quantity quantity, std::string_view unit);

/// One argument of a formula.
struct Symbol {
    std::string_view name; ///< name on the command line: "ranks"
    std::string_view letter; ///< letter in typeset formulas: "N"
    std::string_view meaning;
    Quantity quantity = Quantity::number;
    double low = 0; ///< inclusive, like `high`
    double high = 1e30;
    bool whole = false;
    std::optional<double> otherwise = std::nullopt; ///< default value; an argument without a default is required
    /// Words for the values 0, 1, 2, …; empty unless the argument is a choice.
    std::vector<std::string_view> choices = {};
    bool is_list = false; ///< a list of numbers, which must be the last argument
    std::string_view unit = {}; ///< unit of the value if it is not the SI unit: "days"
};

/// One output of a formula.
struct FormulaResult {
    std::string_view name; ///< name on the command line: "bytes_per_rank"
    std::string_view letter;
    std::string_view meaning;
    Quantity quantity = Quantity::number;
    std::vector<std::string_view> arguments = {}; ///< symbols in the order of the function's parameters
    std::function<double(std::span<const double>)> function = {}; ///< the C++ function that the planner itself calls
    /// The formula as a function of expressions, which generates its text.
    std::function<Expression(std::span<const Expression>)> formula = {};
    std::string_view unit = {}; ///< unit of the value if it is not the SI unit: "days"
    const void *identity = nullptr; ///< address of the FormulaFunction

    /// The formula as an expression of its symbols' names. A simulation appears only as a call.
    Expression expression() const;
};

/// A named formula with its symbols, text, functions and source.
struct Formula {
    std::string_view id; ///< such as "ring-all-reduce"
    std::string_view title; ///< such as "Ring all-reduce"
    std::string_view topic; ///< group in the list: "Communication", "Memory", …
    std::vector<Symbol> symbols;
    std::vector<FormulaResult> results;
    std::string_view source; ///< paper and equation, or document
    std::string_view notes = {}; ///< published figures that differ, and the reason; may be empty

    const Symbol *find_symbol(std::string_view name) const;
    const FormulaResult *find_result(std::string_view name) const;
};

/// Functions that formula texts may call in addition to muParser's own.
struct TextFunction {
    std::string_view name;
    Expression::Function value = nullptr;
    double (*function)(double) = nullptr;
    /// Set instead of `function` if there are three arguments.
    double (*of_three)(double, double, double) = nullptr;
};
const std::vector<TextFunction> &text_functions();
/// "bytes", "$/h", "days"; "1" for a dimensionless value.
std::string unit_name(const Symbol &symbol);
std::string unit_name(const FormulaResult &result);
/// Text of the value with its unit.
std::string value_text(double value, const FormulaResult &result);
/// The shortest text that calculate() parses back to this value; for a choice, its word.
std::string value_text(double value, const Symbol &symbol);

/// All formulas, sorted by topic and title.
const std::vector<Formula> &formulas();
const Formula *find_formula(std::string_view id);

/// One evaluation of a formula.
struct Calculation {
    struct Value {
        const FormulaResult *result;
        double value;
        std::string substituted; ///< the formula with numbers in place of names
    };
    const Formula *formula = nullptr;
    /// Arguments including defaults; a choice is the index of its word.
    std::map<std::string, double, std::less<>> arguments;
    std::map<std::string, std::vector<double>, std::less<>> lists; ///< the list arguments
    std::vector<Value> values; ///< values of the results whose arguments are all given
};

/// Evaluates every result whose arguments are given. Arguments are numbers or texts with units; lists are
/// comma-separated.
/// @throws InputError for an unknown formula, name or unit, a value out of range, or too few arguments for any result.
/// The message lists the accepted names or values.
Calculation calculate(std::string_view id, const std::map<std::string, std::string, std::less<>> &arguments);

/// The formula in muParser's syntax; for a simulation, its call: "probability(sites, quorum, availability)".
std::string formula_text(const FormulaResult &result);

/// The formula with numbers in place of symbols: "2 * (8 - 1) / 8 * 1 GB". A conditional is reduced to the branch that
/// applies.
std::string substituted_text(const Formula &formula, const FormulaResult &result,
                             const std::map<std::string, double, std::less<>> &arguments);

} // namespace meshwright
