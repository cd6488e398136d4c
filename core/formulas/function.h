// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace meshwright {

/// A formula's C++ function with a fixed number of double parameters: a lambda without captures. The planner calls it
/// like the lambda itself, and the compiler inlines it. Calculators, explanations and lessons call the same object
/// through the catalogue. A test can replace the function and check that every user of the formula changes.
template <typename Function, typename Pointer = decltype(+std::declval<Function>())>
class FormulaFunction;

template <typename Function, typename... Arguments>
class FormulaFunction<Function, double (*)(Arguments...)> {
public:
    using Pointer = double (*)(Arguments...);

    constexpr explicit(false) FormulaFunction(Function /*function*/) { }
    FormulaFunction(const FormulaFunction &) = delete;
    FormulaFunction &operator=(const FormulaFunction &) = delete;

    double operator()(Arguments... arguments) const {
#ifndef MESHWRIGHT_BARE_FORMULAS // a benchmark builds the planner without replacement to measure its cost
        if (m_replacement != nullptr) [[unlikely]]
            return m_replacement(arguments...);
#endif
        return Function{}(arguments...);
    }

    /// Calls the function with arguments from an array, as the catalogue does.
    double call(std::span<const double> arguments) const {
        return spread(arguments, std::index_sequence_for<Arguments...>{});
    }
    static constexpr std::size_t argument_count = sizeof...(Arguments);

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
    template <std::size_t... Index>
    double spread(std::span<const double> arguments, std::index_sequence<Index...>) const {
        return (*this)(arguments[Index]...);
    }

    Pointer m_replacement = nullptr;
};

template <typename Function>
FormulaFunction(Function) -> FormulaFunction<Function>;

} // namespace meshwright
