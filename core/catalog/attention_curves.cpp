// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/attention_curves.h"

#include "catalog/architectures.h"

namespace meshwright {

namespace {

/// FlashAttention-1 reaches about 0.55 of the rate of FlashAttention-2 at training shapes.
constexpr double first_generation_share = 0.55;

AttentionCurve slowed(AttentionCurve curve, double factor) {
    curve.forward_peak *= factor;
    curve.backward_peak *= factor;
    return curve;
}

} // namespace

AttentionCurve attention_curve(std::string_view architecture, AttentionKernel kernel) {
    const Architecture &of = architecture_of(architecture);
    const AttentionCurve &curve = kernel == AttentionKernel::flash_3 ? *of.flash_3 : *of.flash_2;
    return kernel == AttentionKernel::flash_1 ? slowed(curve, first_generation_share) : curve;
}

} // namespace meshwright
