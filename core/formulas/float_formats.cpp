// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/float_formats.h"

#include "formulas/catalogue.h"

#include <algorithm>

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Formula format() {
    const Symbol exponent = whole("exponent_bits", "e", "exponent bits", 2, 11);
    const Symbol mantissa = whole("mantissa_bits", "m", "mantissa bits, without the implicit bit", 0, 52);
    const Symbol finite =
        otherwise(flag("finite_only", "f", "1 if there is no infinity and one NaN code per sign (E4M3FN)"), 0);
    const Symbol all = otherwise(flag("all_finite", "a", "1 if there is neither infinity nor NaN (E2M1, E3M0)"), 0);
    return {
        .id = "float-format",
        .title = "Range of a number format",
        .topic = topic::number_formats,
        .symbols = {exponent, mantissa, finite, all},
        .results = {result({"largest", "x_max", "largest finite number", Quantity::number},
                           {"exponent_bits", "mantissa_bits", "finite_only", "all_finite"}, largest_finite),
                    result({"smallest_normal", "x_n", "smallest normal number", Quantity::number}, {"exponent_bits"},
                           smallest_normal),
                    result({"smallest_subnormal", "x_s", "smallest subnormal number", Quantity::number},
                           {"exponent_bits", "mantissa_bits"}, smallest_subnormal),
                    result({"epsilon", "u", "distance from 1 to the next number", Quantity::number}, {"mantissa_bits"},
                           machine_epsilon),
                    result({"bits", "n", "bits per number", count}, {"exponent_bits", "mantissa_bits"}, format_bits)},
        .source =
            "IEEE 754-2019, section 3; FP8 formats for deep learning, arXiv 2209.05433, table 1; OCP Microscaling "
            "formats 1.0",
        .notes = "In accelerators, E4M3 uses all but one code of the top exponent for finite numbers and reaches 448; "
                 "under IEEE's rules its maximum would be 240."};
}

double last_scale(std::span<const double> values) {
    return dynamic_loss_scale(values[0], values[1], values[2], values.subspan(3));
}
double scale_at_step(std::span<const double> values) {
    const double step = values[3];
    const std::span<const double> overflows = values.subspan(4);
    return step > static_cast<double>(overflows.size())
        ? undefined
        : dynamic_loss_scale(values[0], values[1], values[2], overflows.first(static_cast<std::size_t>(step)));
}
double skipped_steps(std::span<const double> overflows) {
    return static_cast<double>(std::count_if(overflows.begin(), overflows.end(), [](double one) { return one != 0; }));
}

Formula loss_scale() {
    Symbol overflows = real("overflows", "o", "one value per step: 1 if the step overflowed, otherwise 0", 0, 1);
    overflows.whole = true;
    overflows.is_list = true;
    return {.id = "loss-scale",
            .title = "Dynamic loss scaling",
            .topic = topic::number_formats,
            .symbols = {otherwise(real("initial", "s_0", "initial scale", 1e-30, 1e30), 65536), overflows,
                        otherwise(whole("growth_interval", "k", "steps without overflow before the scale grows"), 2000),
                        otherwise(real("factor", "f", "growth and backoff factor", 1.0001, 1e6), 2),
                        whole("step", "i", "number of steps to simulate", 0, 1e5)},
            .results = {procedure({"scale", "s", "scale after the last step", Quantity::number},
                                  {"initial", "growth_interval", "factor", "overflows"}, last_scale),
                        procedure({"scale_at_step", "s_i", "scale after the given number of steps", Quantity::number},
                                  {"initial", "growth_interval", "factor", "step", "overflows"}, scale_at_step),
                        procedure({"skipped_steps", "n", "skipped steps, which do not update the weights", count},
                                  {"overflows"}, skipped_steps)},
            .source = "Micikevicius et al., arXiv 1710.03740, section 3.2; defaults of PyTorch's GradScaler"};
}

} // namespace

std::vector<Formula> float_formulas() {
    return {format(), loss_scale()};
}

} // namespace meshwright::catalogue
