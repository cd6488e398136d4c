// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace meshwright {

/// A formula's C++ function of a fixed number of doubles: a lambda without captures. The planner calls it as it would
/// call the lambda itself, and the compiler puts it in line; the calculators, explanations and lessons call the same
/// object through the catalogue. A test can put another function in its place and watch every user of the formula move.
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
#ifndef MESHWRIGHT_BARE_FORMULAS // a benchmark's own copy of the planner, to see what replacing costs
        if (m_replacement != nullptr) [[unlikely]]
            return m_replacement(arguments...);
#endif
        return Function{}(arguments...);
    }

    /// Calls it with arguments in a row, as the catalogue does.
    double call(std::span<const double> arguments) const {
        return spread(arguments, std::index_sequence_for<Arguments...>{});
    }
    static constexpr std::size_t argument_count = sizeof...(Arguments);

    /// Puts another function in its place until the guard goes.
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
