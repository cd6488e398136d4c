// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <cmath>
#include <span>
#include <vector>

/// Ranges of binary floating-point formats, and loss scaling. Formats have at least 2 exponent bits and any number of
/// mantissa bits; the implicit bit is not counted. Source: IEEE 754-2019, section 3; FP8 formats, arXiv 2209.05433,
/// table 1; OCP MX formats 1.0.
namespace meshwright::formula {

inline FormulaFunction exponent_bias{[](auto exponent_bits) { return exp2(exponent_bits - 1) - 1; }};
inline FormulaFunction smallest_normal{[](auto exponent_bits) { return exp2(1 - exponent_bias(exponent_bits)); }};
inline FormulaFunction smallest_subnormal{
    [](auto exponent_bits, auto mantissa_bits) { return exp2(1 - exponent_bias(exponent_bits) - mantissa_bits); }};
/// @param finite_only 1 if the top exponent encodes finite numbers and a single NaN (E4M3FN)
/// @param all_finite 1 if every code is a finite number (E2M1 and E3M0)
inline FormulaFunction largest_finite{[](auto exponent_bits, auto mantissa_bits, auto finite_only, auto all_finite) {
    const auto bias = exponent_bias(exponent_bits);
    return when(all_finite != 0, (2 - exp2(-mantissa_bits)) * exp2(bias + 1),
                when(finite_only != 0 && mantissa_bits > 0, (2 - exp2(1 - mantissa_bits)) * exp2(bias + 1),
                     (2 - exp2(-mantissa_bits)) * exp2(bias)));
}};
/// Distance from 1 to the next larger number.
inline FormulaFunction machine_epsilon{[](auto mantissa_bits) { return exp2(-mantissa_bits); }};
inline FormulaFunction format_bits{
    [](auto exponent_bits, auto mantissa_bits) { return 1 + exponent_bits + mantissa_bits; }};

/// Loss scale after each step: divided by `factor` after an overflow, multiplied by `factor` after `growth_interval`
/// steps without an overflow. Source: Micikevicius et al., arXiv 1710.03740, section 3.2; the defaults of PyTorch's
/// GradScaler.
/// @param overflows one number per step: nonzero if the gradients overflowed, in which case the step updates no weights
inline std::vector<double> loss_scale_trace(double initial, double growth_interval, double factor,
                                            std::span<const double> overflows) {
    std::vector<double> trace;
    trace.reserve(overflows.size());
    double scale = initial;
    double good = 0;
    for (const double overflow : overflows) {
        if (overflow != 0) {
            scale /= factor;
            good = 0;
        } else if (++good >= growth_interval) {
            scale *= factor;
            good = 0;
        }
        trace.push_back(scale);
    }
    return trace;
}
inline double dynamic_loss_scale(double initial, double growth_interval, double factor,
                                 std::span<const double> overflows) {
    return overflows.empty() ? initial : loss_scale_trace(initial, growth_interval, factor, overflows).back();
}

} // namespace meshwright::formula
