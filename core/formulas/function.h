// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace meshwright {

class Traced;
/// Records the call of a formula with traced numbers as one node. The node refers to the function's formula in the
/// catalog. A function that is not in the catalog is recorded as its expression. @param value value of the call
Traced traced_call(const void *function, std::span<const Traced> arguments, double value,
                   Expression (*express)(std::span<const Expression>));

namespace formula {

// Functions for numbers in formulas. formulas/expression.h has the same functions for expressions.
constexpr double min(double a, double b) {
    return std::min(a, b);
}
constexpr double max(double a, double b) {
    return std::max(a, b);
}
using std::abs;
using std::ceil;
using std::cos;
using std::exp;
using std::exp2;
using std::expm1;
using std::floor;
using std::log;
using std::log2;
using std::pow;
using std::sqrt;

/// Units for constants in formulas: `2 * flop`.
inline constexpr UnitNumber byte{.quantity = Quantity::bytes};
/// Has the quantity of `byte`, so that 8 bits per byte is a plain factor.
inline constexpr UnitNumber bit{.quantity = Quantity::bytes};
inline constexpr UnitNumber second{.quantity = Quantity::seconds};
inline constexpr UnitNumber flop{.quantity = Quantity::flops};
inline constexpr UnitNumber dollar{.quantity = Quantity::dollars};

inline constexpr Pi pi;
inline constexpr double unlimited = std::numeric_limits<double>::infinity();
inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

} // namespace formula

template <typename Argument, std::size_t>
using FormulaArgumentOf = Argument;
template <std::size_t Index>
using FormulaArgument = FormulaArgumentOf<double, Index>;

template <typename Function, std::size_t... Index>
consteval bool takes_numbers(std::index_sequence<Index...> /*count*/) {
    return std::is_invocable_r_v<double, Function, FormulaArgument<Index>...>;
}
template <typename Function, std::size_t Count = 1>
consteval std::size_t parameter_count() {
    static_assert(Count < 20, "a formula is a function of numbers");
    if constexpr (takes_numbers<Function>(std::make_index_sequence<Count>{}))
        return Count;
    else
        return parameter_count<Function, Count + 1>();
}

/// A formula: a generic lambda without captures. Called with numbers it is the planner's own function, which the
/// compiler inlines; called with expressions it is the formula's text. Calculators, explanations and lessons call the
/// same object through the catalog. A test can replace the function and check that every result of the formula changes.
///
/// A lambda of doubles, such as a simulation, has no text. Its expression is a call if it has a name and is opaque
/// otherwise.
template <typename Function, typename Indices = std::make_index_sequence<parameter_count<Function>()>>
class FormulaFunction;

template <typename Function, std::size_t... Index>
class FormulaFunction<Function, std::index_sequence<Index...>> {
public:
    using Pointer = double (*)(FormulaArgument<Index>...);

    constexpr explicit(false) FormulaFunction(Function /*function*/) { }
    constexpr FormulaFunction(std::string_view name, Function /*function*/)
        : m_name(name) { }
    FormulaFunction(const FormulaFunction &) = delete;
    FormulaFunction &operator=(const FormulaFunction &) = delete;

    double operator()(FormulaArgument<Index>... arguments) const {
#ifndef MESHWRIGHT_BARE_FORMULAS // a benchmark compiles without this to measure the cost of replacement
        if (m_replacement != nullptr) [[unlikely]]
            return m_replacement(arguments...);
#endif
        return Function{}(arguments...);
    }

    /// The formula as an expression of its arguments. At least one argument must be an expression.
    template <typename... Arguments>
    requires(sizeof...(Arguments) == sizeof...(Index) && (std::same_as<Arguments, Expression> || ...)) Expression
    operator()(const Arguments &...arguments) const {
        return express(std::array<Expression, sizeof...(Index)>{Expression(arguments)...});
    }

    /// The formula's value with its derivation, if at least one argument is traced.
    template <typename... Arguments>
    requires(sizeof...(Arguments) == sizeof...(Index) && (std::same_as<Arguments, Traced> || ...)) auto
    operator()(const Arguments &...arguments) const {
        const std::array<std::common_type_t<Arguments...>, sizeof...(Index)> all{arguments...};
        return traced_call(this, all, (*this)(all[Index].value()...), [](std::span<const Expression> expressions) {
            if constexpr (std::is_invocable_v<Function, FormulaArgumentOf<Expression, Index>...>)
                return Expression(Function{}(expressions[Index]...));
            else
                return Expression::opaque();
        });
    }

    double call(std::span<const double> arguments) const {
        return (*this)(arguments[Index]...);
    }
    Expression express(std::span<const Expression> arguments) const {
        if constexpr (std::is_invocable_v<Function, FormulaArgumentOf<Expression, Index>...>)
            return Function{}(arguments[Index]...);
        else if (m_name.empty())
            return Expression::opaque();
        else
            return Expression::call(m_name, [](std::span<const double> values) { return Function{}(values[Index]...); },
                                    {arguments[Index]...});
    }
    static constexpr std::size_t argument_count = sizeof...(Index);

    /// Replaces the function for the lifetime of this guard.
    class Replacement {
    public:
        Replacement(FormulaFunction &formula, Pointer function)
            : m_formula(formula)
            , m_before(std::exchange(formula.m_replacement, function)) { }
        ~Replacement() { m_formula.m_replacement = m_before; }
        Replacement(const Replacement &) = delete;
        Replacement &operator=(const Replacement &) = delete;

    private:
        FormulaFunction &m_formula;
        Pointer m_before;
    };

private:
    Pointer m_replacement = nullptr;
    std::string_view m_name = {};
};

template <typename Function>
FormulaFunction(Function) -> FormulaFunction<Function>;
template <typename Function>
FormulaFunction(const char *, Function) -> FormulaFunction<Function>;

} // namespace meshwright
