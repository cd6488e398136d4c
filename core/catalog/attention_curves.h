// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/stack.h"

#include <string_view>

namespace meshwright {

/// Rate of a fused attention kernel as a function of s, the number of keys that a query attends to: peak x s / (s +
/// half). Causal attention counts half of the FLOPs.
struct AttentionCurve {
    double forward_peak; ///< FLOP/s with head dimension 128 and long sequences
    double forward_half; ///< tokens at which half of the peak is reached
    double backward_peak;
    double backward_half;
    double narrow_head_factor; ///< rate factor for head dimensions of at most 64
    double reference_peak; ///< dense 16-bit peak of the measured accelerator, for scaling to related accelerators
};

/// The curve of a kernel generation on an accelerator architecture. Values are read from the plots of FlashAttention-2
/// (arXiv 2307.08691, figures 5 to 7) and FlashAttention-3 (arXiv 2407.08608, figures 5 and 6), and for Blackwell from
/// vendor charts, scaled to match training runs.
AttentionCurve attention_curve(std::string_view architecture, AttentionKernel kernel);

} // namespace meshwright
