// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/float_formats.h"
#include "formulas/function.h"

#include <cmath>
#include <numbers>

/// Fractions of gradients that a number format loses. Magnitudes are log-normal: log2 |g| is normal around the
/// logarithm of the median. Argument `format`: 0 is FP16, 1 BF16, 2 E4M3, 3 E5M2.
namespace meshwright::formula {

/// Probability that a standard normal variable is below z.
inline FormulaFunction standard_normal{"standard_normal",
                                       [](double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }};

inline FormulaFunction by_format{[](auto format, auto fp16, auto bf16, auto e4m3, auto e5m2) {
    return when(format == 0, fp16, when(format == 1, bf16, when(format == 2, e4m3, e5m2)));
}};
/// Base-2 logarithms of the smallest normal and the smallest subnormal number.
inline FormulaFunction normal_exponent{[](auto format) {
    return by_format(format, log2(smallest_normal(5)), log2(smallest_normal(8)), log2(smallest_normal(4)),
                     log2(smallest_normal(5)));
}};
inline FormulaFunction subnormal_exponent{[](auto format) {
    return by_format(format, log2(smallest_subnormal(5, 10)), log2(smallest_subnormal(8, 7)),
                     log2(smallest_subnormal(4, 3)), log2(smallest_subnormal(5, 2)));
}};
/// Exponent of the largest finite number, whose significand is between 1 and 2.
inline FormulaFunction largest_exponent{[](auto format) {
    return by_format(format, floor(log2(largest_finite(5, 10, 0, 0))), floor(log2(largest_finite(8, 7, 0, 0))),
                     floor(log2(largest_finite(4, 3, 1, 0))), floor(log2(largest_finite(5, 2, 0, 0))));
}};
inline FormulaFunction largest_significand{[](auto format) {
    const auto of = [](double largest) { return largest / exp2(floor(log2(largest))); };
    return by_format(format, of(largest_finite(5, 10, 0, 0)), of(largest_finite(8, 7, 0, 0)),
                     of(largest_finite(4, 3, 1, 0)), of(largest_finite(5, 2, 0, 0)));
}};

/// Fraction of gradients whose magnitude is below a power of two after scaling. @param spread standard deviation of
/// log2 |g|
inline FormulaFunction share_below{[](auto exponent, auto median, auto spread, auto scale) {
    return standard_normal((exponent - log2(median) - log2(scale)) / spread);
}};
/// Fraction of numbers below the smallest normal number, which lose precision.
inline FormulaFunction share_below_normal{[](auto format, auto median, auto spread, auto scale) {
    return share_below(normal_exponent(format), median, spread, scale);
}};
inline FormulaFunction share_below_subnormal{[](auto format, auto median, auto spread, auto scale) {
    return share_below(subnormal_exponent(format), median, spread, scale);
}};
/// Fraction of numbers that round to zero. Under IEEE 754's rounding to nearest, ties to even, these are the numbers up
/// to half of the smallest subnormal number.
inline FormulaFunction share_rounded_to_zero{[](auto format, auto median, auto spread, auto scale) {
    return share_below(subnormal_exponent(format) - 1, median, spread, scale);
}};
/// Fraction of numbers above the largest finite number.
inline FormulaFunction share_above_largest{[](auto format, auto median, auto spread, auto scale) {
    return standard_normal((log2(median) + log2(scale) - largest_exponent(format) - log2(largest_significand(format)))
                           / spread);
}};

} // namespace meshwright::formula
