// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/underflow.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

std::vector<Formula> underflow_formulas() {
    return {
        {.id = "gradient-underflow",
         .title = "Gradients that a number format loses",
         .topic = topic::number_formats,
         .symbols = {choice("format", "f", "number format of the gradients", {"fp16", "bf16", "fp8-e4m3", "fp8-e5m2"}),
                     real("median", "g", "median magnitude of the gradients", 1e-30, 1e30),
                     real("spread", "s", "standard deviation of the magnitudes' base-2 logarithm", 0.01, 100),
                     otherwise(real("scale", "S", "loss scale", 1e-30, 1e30), 1)},
         .results = {result({"below_normal", "p_n", "fraction with reduced precision: below the smallest normal number",
                             share},
                            {"format", "median", "spread", "scale"}, share_below_normal),
                     result({"below_subnormal", "p_s", "fraction below the smallest subnormal number", share},
                            {"format", "median", "spread", "scale"}, share_below_subnormal),
                     result({"rounded_to_zero", "p_0",
                             "fraction rounded to zero: below half of the smallest subnormal number", share},
                            {"format", "median", "spread", "scale"}, share_rounded_to_zero),
                     result({"above_largest", "p_1", "fraction above the largest finite number", share},
                            {"format", "median", "spread", "scale"}, share_above_largest)},
         .source = "Derived for log-normal magnitudes, from the ranges of the formats (IEEE 754-2019, section 3; FP8 "
                   "formats, arXiv 2209.05433, table 1); loss scaling: Micikevicius et al., arXiv 1710.03740, section "
                   "3.2",
         .notes = "If 1e-7 and 1e-4 are two standard deviations from the median, the median is 3.2e-6 and the standard "
                  "deviation of log2 is 2.49: 96% of the gradients are below FP16's smallest normal number and 0.3% "
                  "round to zero. With a loss scale of 1,024, only 1.1% are below that number. BF16 has FP32's "
                  "exponents and loses none."}};
}

} // namespace meshwright::catalogue
