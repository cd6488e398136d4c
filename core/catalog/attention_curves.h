// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/stack.h"

#include <string_view>

namespace meshwright {

/// Rate of a fused attention kernel against the keys that a query sees: peak x s / (s + half), causal work counted
/// once.
struct AttentionCurve {
    double forward_peak; ///< FLOP/s at 128-wide heads and long sequences
    double forward_half; ///< tokens at which half of it is reached
    double backward_peak;
    double backward_half;
    double narrow_head_factor; ///< for heads of at most 64
    double reference_peak; ///< dense 16-bit peak of the part that it was read on, to scale to its siblings
};

/// The curve of a kernel generation on an accelerator's architecture. Read off the published figures of
/// FlashAttention-2 (arXiv 2307.08691, figures 5 to 7) and FlashAttention-3 (arXiv 2407.08608, figures 5 and 6), and
/// for Blackwell off vendor charts, scaled to meet training runs.
AttentionCurve attention_curve(std::string_view architecture, AttentionKernel kernel);

} // namespace meshwright
