// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/attention_curves.h"

namespace meshwright {

namespace {

constexpr AttentionCurve ampere_flash_2{200e12, 420, 190e12, 500, 0.91, 312e12};
constexpr AttentionCurve hopper_flash_2{362e12, 540, 362e12, 540, 0.87, 989.5e12};
constexpr AttentionCurve hopper_flash_3{578e12, 400, 515e12, 620, 0.78, 989.5e12};
constexpr AttentionCurve blackwell{1080e12, 900, 840e12, 1100, 0.74, 2250e12};
/// FlashAttention-2 runs on Blackwell but hardly uses its matrix units: 20% above the rate on Hopper.
constexpr AttentionCurve blackwell_flash_2{434e12, 540, 434e12, 540, 0.87, 2250e12};
/// Composable Kernel and Triton attention on MI200 and MI300: about 1/3 of the peak in the forward and 1/5 in the
/// backward pass.
constexpr AttentionCurve cdna{420e12, 540, 290e12, 540, 0.87, 1307.4e12};

/// FlashAttention-1 reaches about 0.55 of the rate of FlashAttention-2 at training shapes.
constexpr double first_generation_share = 0.55;

AttentionCurve slowed(AttentionCurve curve, double factor) {
    curve.forward_peak *= factor;
    curve.backward_peak *= factor;
    return curve;
}

} // namespace

AttentionCurve attention_curve(std::string_view architecture, AttentionKernel kernel) {
    AttentionCurve curve = ampere_flash_2;
    if (architecture.starts_with("blackwell"))
        curve = kernel == AttentionKernel::flash_3 ? blackwell : blackwell_flash_2;
    else if (architecture == "hopper")
        curve = kernel == AttentionKernel::flash_3 ? hopper_flash_3 : hopper_flash_2;
    else if (architecture.starts_with("cdna"))
        curve = cdna;
    return kernel == AttentionKernel::flash_1 ? slowed(curve, first_generation_share) : curve;
}

} // namespace meshwright
