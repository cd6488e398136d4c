// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

/// Learning-rate scaling with any power of the batch size, and the area under a schedule. Schedules are those of
/// formulas/batch_and_rates.h.
namespace meshwright::formula {

/// Learning rate for another batch size, scaled by any power of the ratio of batch sizes: 1 is the linear rule (Goyal
/// et al., arXiv 1706.02677), 1/2 the square-root rule (Malladi et al., arXiv 2205.10287, for Adam).
inline FormulaFunction power_learning_rate{[](auto base_rate, auto base_batch, auto batch, auto exponent) {
    return base_rate * pow(batch / base_batch, exponent);
}};

/// Area under a schedule with a warm-up and a decay to `final_share` of the peak, in learning rate times steps. A
/// cosine decay and a linear decay have the same mean. Undefined if the warm-up is longer than the run.
inline FormulaFunction decay_area{[](auto peak_rate, auto warmup_steps, auto total_steps, auto final_share) {
    return when(warmup_steps <= total_steps,
                peak_rate * (warmup_steps / 2 + (total_steps - warmup_steps) * (1 + final_share) / 2), undefined);
}};
/// Learning rate summed over a run with warm-up, a stable phase and a linear decay in its last part. Undefined if the
/// decay starts during the warm-up.
inline FormulaFunction wsd_area{
    [](auto peak_rate, auto warmup_steps, auto total_steps, auto final_share, auto decay_share) {
        const auto decay_steps = total_steps * decay_share;
        return when(warmup_steps + decay_steps <= total_steps,
                    peak_rate * (total_steps - warmup_steps / 2 - decay_steps * (1 - final_share) / 2), undefined);
    }};

/// Exposure: learning rate multiplied by tokens, summed over all steps.
inline FormulaFunction decay_exposure{
    [](auto peak_rate, auto warmup_steps, auto total_steps, auto final_share, auto batch_tokens) {
        return batch_tokens * decay_area(peak_rate, warmup_steps, total_steps, final_share);
    }};
inline FormulaFunction wsd_exposure{
    [](auto peak_rate, auto warmup_steps, auto total_steps, auto final_share, auto decay_share, auto batch_tokens) {
        return batch_tokens * wsd_area(peak_rate, warmup_steps, total_steps, final_share, decay_share);
    }};

} // namespace meshwright::formula
