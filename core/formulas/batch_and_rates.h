// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"
#include "formulas/learning_rate_exposure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace meshwright::formula {

inline FormulaFunction needed_accumulation_steps{[](auto target_batch, auto micro_batch, auto data_parallel) {
    return ceil(target_batch / (micro_batch * data_parallel));
}};
inline FormulaFunction effective_batch{[](auto micro_batch, auto accumulation_steps, auto data_parallel) {
    return micro_batch * accumulation_steps * data_parallel;
}};
inline FormulaFunction tokens_per_batch{[](auto batch, auto sequence) { return batch * sequence; }};

/// Time that gradient accumulation saves: one all-reduce per step instead of one per microbatch.
inline FormulaFunction accumulation_saving_seconds{
    [](auto accumulation_steps, auto all_reduce_seconds) { return (accumulation_steps - 1) * all_reduce_seconds; }};
inline FormulaFunction accumulated_step_seconds{
    [](auto accumulation_steps, auto micro_batch_seconds, auto all_reduce_seconds) {
        return accumulation_steps * micro_batch_seconds + all_reduce_seconds;
    }};
inline FormulaFunction accumulated_samples_per_second{
    [](auto accumulation_steps, auto micro_batch_seconds, auto all_reduce_seconds, auto batch) {
        return batch / accumulated_step_seconds(accumulation_steps, micro_batch_seconds, all_reduce_seconds);
    }};
inline FormulaFunction accumulated_communication_fraction{[](auto accumulation_steps, auto micro_batch_seconds,
                                                             auto all_reduce_seconds) {
    return all_reduce_seconds / accumulated_step_seconds(accumulation_steps, micro_batch_seconds, all_reduce_seconds);
}};

/// Step time without recomputation, and with recomputation and the larger microbatch size that it makes possible. Both
/// are relative to the time of one small microbatch without recomputation.
inline FormulaFunction plain_micro_batches{[](auto target_batch, auto data_parallel, auto micro_batch) {
    return target_batch / (data_parallel * micro_batch);
}};
inline FormulaFunction recomputed_micro_batches{
    [](auto target_batch, auto data_parallel, auto micro_batch, auto larger_micro_batch, auto recompute_overhead) {
        return target_batch / (data_parallel * larger_micro_batch) * (larger_micro_batch / micro_batch)
            * (1 + recompute_overhead);
    }};
inline FormulaFunction recompute_slowdown{[](auto target_batch, auto data_parallel, auto micro_batch,
                                             auto larger_micro_batch, auto recompute_overhead) {
    return recomputed_micro_batches(target_batch, data_parallel, micro_batch, larger_micro_batch, recompute_overhead)
        / plain_micro_batches(target_batch, data_parallel, micro_batch);
}};

/// Learning rate for another batch size. @param rule 0 linear (Goyal et al., arXiv 1706.02677), 1 square root (arXiv
/// 1404.5997)
inline FormulaFunction scaled_learning_rate{[](auto base_rate, auto base_batch, auto batch, auto rule) {
    return power_learning_rate(base_rate, base_batch, batch, when(rule == 1, 0.5, 1));
}};
inline FormulaFunction scaled_warmup_steps{
    [](auto base_batch, auto batch, auto base_steps) { return base_steps * batch / base_batch; }};
inline FormulaFunction warmup_fraction{[](auto base_batch, auto batch, auto base_steps, auto total_steps) {
    return scaled_warmup_steps(base_batch, batch, base_steps) / total_steps;
}};

/// Fraction of the peak rate during a linear warm-up; 1 after it.
inline FormulaFunction warmup_share{
    [](auto step, auto warmup_steps) { return when(step < warmup_steps, step / warmup_steps, 1); }};
/// Completed fraction of a decay: 0 before it begins, 1 after it has ended. A run that ends during its warm-up does not
/// decay.
inline FormulaFunction decay_done{[](auto step, auto begin, auto end) {
    return when(step <= begin, 0, when(step < end, (step - begin) / (end - begin), 1));
}};
/// Learning rate with linear warm-up, then half a cosine down to a fraction of the peak. Source: SGDR, arXiv
/// 1608.03983, equation 5.
inline FormulaFunction cosine_rate{[](auto peak_rate, auto step, auto warmup_steps, auto total_steps,
                                      auto final_share) {
    const auto done = decay_done(step, warmup_steps, total_steps);
    return peak_rate * warmup_share(step, warmup_steps) * (final_share + (1 - final_share) * (1 + cos(pi * done)) / 2);
}};
/// Learning rate with linear warm-up, then linear decay to a fraction of the peak.
inline FormulaFunction linear_rate{
    [](auto peak_rate, auto step, auto warmup_steps, auto total_steps, auto final_share) {
        const auto done = decay_done(step, warmup_steps, total_steps);
        return peak_rate * warmup_share(step, warmup_steps) * (1 - (1 - final_share) * done);
    }};
/// Learning rate with warm-up, a stable phase and decay (WSD): it falls linearly in the last part of the run. Source:
/// MiniCPM, arXiv 2404.06395, section 4.
inline FormulaFunction wsd_rate{
    [](auto peak_rate, auto step, auto warmup_steps, auto total_steps, auto final_share, auto decay_share) {
        const auto done = decay_done(step, max(warmup_steps, total_steps * (1 - decay_share)), total_steps);
        return peak_rate * warmup_share(step, warmup_steps) * (1 - (1 - final_share) * done);
    }};

/// Batch size that grows linearly with the tokens trained, as in GPT-3, arXiv 2005.14165, appendix B.
inline FormulaFunction ramped_batch{[](auto start_batch, auto batch, auto ramp_tokens, auto tokens) {
    return start_batch + (batch - start_batch) * min(1.0, tokens / ramp_tokens);
}};
/// Optimizer steps of a batch-size ramp over `ramp_tokens` tokens: the integral of 1 / batch over the tokens, with a
/// linearly growing batch.
inline FormulaFunction ramp_steps{[](auto start_batch, auto batch, auto ramp_tokens) {
    return when(batch == start_batch, ramp_tokens / batch,
                ramp_tokens / (batch - start_batch) * log(batch / start_batch));
}};

/// Steps and examples needed to reach a loss at batch size B: each exceeds its minimum by a term that depends on the
/// noise scale. Source: McCandlish et al., arXiv 1812.06162, equation 2.11.
inline FormulaFunction steps_at_batch{
    [](auto least_steps, auto critical_batch, auto batch) { return least_steps * (1 + critical_batch / batch); }};
inline FormulaFunction examples_at_batch{
    [](auto least_steps, auto critical_batch, auto batch) { return least_steps * (critical_batch + batch); }};
inline FormulaFunction critical_batch{
    [](auto least_steps, auto least_examples) { return least_examples / least_steps; }};
/// Critical batch size in tokens at a loss. Source: Kaplan et al., arXiv 2001.08361, equation 1.4.
inline FormulaFunction critical_batch_at_loss{
    [](auto loss, auto scale, auto exponent) { return scale / pow(loss, 1 / exponent); }};

inline FormulaFunction training_steps{[](auto tokens, auto batch_tokens) { return ceil(tokens / batch_tokens); }};

} // namespace meshwright::formula
