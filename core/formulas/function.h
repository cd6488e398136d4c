// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace meshwright {

/// A formula's C++ function of a fixed number of doubles. The planner calls it as it would call the function itself;
/// the calculators, explanations and lessons call the same object through the catalogue. It goes through one pointer,
/// so that a test can put another function in its place and watch every user of the formula move.
template <typename Signature>
class FormulaFunction;

template <typename... Arguments>
class FormulaFunction<double(Arguments...)> {
public:
    using Pointer = double (*)(Arguments...);

    constexpr explicit(false) FormulaFunction(Pointer function)
        : m_function(function) { }
    FormulaFunction(const FormulaFunction &) = delete;
    FormulaFunction &operator=(const FormulaFunction &) = delete;

    double operator()(Arguments... arguments) const { return m_function(arguments...); }

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
            , m_before(std::exchange(formula.m_function, function)) { }
        ~Replacement() { m_formula.m_function = m_before; }
        Replacement(const Replacement &) = delete;
        Replacement &operator=(const Replacement &) = delete;

    private:
        FormulaFunction &m_formula;
        Pointer m_before;
    };

private:
    template <std::size_t... Index>
    double spread(std::span<const double> arguments, std::index_sequence<Index...>) const {
        return m_function(arguments[Index]...);
    }

    Pointer m_function;
};

template <typename... Arguments>
FormulaFunction(double (*)(Arguments...)) -> FormulaFunction<double(Arguments...)>;

} // namespace meshwright
