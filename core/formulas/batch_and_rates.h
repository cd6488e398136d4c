// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <algorithm>
#include <cmath>
#include <numbers>

/// Batch sizes, gradient accumulation, learning rates.
namespace meshwright::formula {

inline FormulaFunction needed_accumulation_steps{[](double target_batch, double micro_batch, double data_parallel) {
    return std::ceil(target_batch / (micro_batch * data_parallel));
}};
inline FormulaFunction effective_batch{[](double micro_batch, double accumulation_steps, double data_parallel) {
    return micro_batch * accumulation_steps * data_parallel;
}};
inline FormulaFunction tokens_per_batch{[](double batch, double sequence) { return batch * sequence; }};

/// All-reduces that gradient accumulation saves.
inline FormulaFunction accumulation_saving_seconds{
    [](double accumulation_steps, double all_reduce_seconds) { return (accumulation_steps - 1) * all_reduce_seconds; }};
inline FormulaFunction accumulated_step_seconds{
    [](double accumulation_steps, double micro_batch_seconds, double all_reduce_seconds) {
        return accumulation_steps * micro_batch_seconds + all_reduce_seconds;
    }};
inline FormulaFunction accumulated_samples_per_second{
    [](double accumulation_steps, double micro_batch_seconds, double all_reduce_seconds, double batch) {
        return batch / accumulated_step_seconds(accumulation_steps, micro_batch_seconds, all_reduce_seconds);
    }};
inline FormulaFunction accumulated_communication_fraction{[](double accumulation_steps, double micro_batch_seconds,
                                                             double all_reduce_seconds) {
    return all_reduce_seconds / accumulated_step_seconds(accumulation_steps, micro_batch_seconds, all_reduce_seconds);
}};

/// Step time in units of one small microbatch: without recomputation, and with a larger micro-batch size that
/// recomputation makes possible.
inline FormulaFunction plain_micro_batches{[](double target_batch, double data_parallel, double micro_batch) {
    return target_batch / (data_parallel * micro_batch);
}};
inline FormulaFunction recomputed_micro_batches{[](double target_batch, double data_parallel, double micro_batch,
                                                   double larger_micro_batch, double recompute_overhead) {
    return target_batch / (data_parallel * larger_micro_batch) * (larger_micro_batch / micro_batch)
        * (1 + recompute_overhead);
}};
inline FormulaFunction recompute_slowdown{[](double target_batch, double data_parallel, double micro_batch,
                                             double larger_micro_batch, double recompute_overhead) {
    return recomputed_micro_batches(target_batch, data_parallel, micro_batch, larger_micro_batch, recompute_overhead)
        / plain_micro_batches(target_batch, data_parallel, micro_batch);
}};

/// Learning rate for another batch size. @param rule 0 linear (Goyal et al., arXiv 1706.02677), 1 square root (arXiv
/// 1404.5997)
inline FormulaFunction scaled_learning_rate{[](double base_rate, double base_batch, double batch, double rule) {
    return base_rate * std::pow(batch / base_batch, rule == 1 ? 0.5 : 1);
}};
inline FormulaFunction scaled_warmup_steps{
    [](double base_batch, double batch, double base_steps) { return base_steps * batch / base_batch; }};
inline FormulaFunction warmup_fraction{[](double base_batch, double batch, double base_steps, double total_steps) {
    return scaled_warmup_steps(base_batch, batch, base_steps) / total_steps;
}};

/// Fraction of the peak rate during a linear warm-up; 1 after it.
inline FormulaFunction warmup_share{
    [](double step, double warmup_steps) { return step < warmup_steps ? step / warmup_steps : 1; }};
/// Linear warm-up, then half a cosine down to a fraction of the peak. Source: SGDR, arXiv 1608.03983, equation 5.
inline FormulaFunction cosine_rate{
    [](double peak_rate, double step, double warmup_steps, double total_steps, double final_share) {
        const double done = std::clamp((step - warmup_steps) / (total_steps - warmup_steps), 0.0, 1.0);
        return peak_rate * warmup_share(step, warmup_steps)
            * (final_share + (1 - final_share) * (1 + std::cos(std::numbers::pi * done)) / 2);
    }};
/// Linear warm-up, then linear decay to a fraction of the peak.
inline FormulaFunction linear_rate{
    [](double peak_rate, double step, double warmup_steps, double total_steps, double final_share) {
        const double done = std::clamp((step - warmup_steps) / (total_steps - warmup_steps), 0.0, 1.0);
        return peak_rate * warmup_share(step, warmup_steps) * (1 - (1 - final_share) * done);
    }};
/// Warm-up, stable, decay (WSD): linear decay in the last part of the run. Source: MiniCPM, arXiv 2404.06395, section
/// 4.
inline FormulaFunction wsd_rate{
    [](double peak_rate, double step, double warmup_steps, double total_steps, double final_share, double decay_share) {
        const double start = total_steps * (1 - decay_share);
        const double done = std::clamp((step - start) / (total_steps - start), 0.0, 1.0);
        return peak_rate * warmup_share(step, warmup_steps) * (1 - (1 - final_share) * done);
    }};

/// Batch size that grows linearly with the tokens trained, as in GPT-3, arXiv 2005.14165, appendix B.
inline FormulaFunction ramped_batch{[](double start_batch, double batch, double ramp_tokens, double tokens) {
    return start_batch + (batch - start_batch) * std::min(1.0, tokens / ramp_tokens);
}};
/// Optimizer steps for a number of tokens. With a linearly growing batch they are the integral of 1 / batch.
inline FormulaFunction ramp_steps{[](double start_batch, double batch, double ramp_tokens) {
    return batch == start_batch ? ramp_tokens / batch
                                : ramp_tokens / (batch - start_batch) * std::log(batch / start_batch);
}};

/// Steps and examples to a given loss at batch size B: both exceed their minimum by a term in the noise scale.
/// Source: McCandlish et al., arXiv 1812.06162, equation 2.11.
inline FormulaFunction steps_at_batch{
    [](double least_steps, double critical_batch, double batch) { return least_steps * (1 + critical_batch / batch); }};
inline FormulaFunction examples_at_batch{
    [](double least_steps, double critical_batch, double batch) { return least_steps * (critical_batch + batch); }};
inline FormulaFunction critical_batch{
    [](double least_steps, double least_examples) { return least_examples / least_steps; }};
/// Critical batch size in tokens at a loss. Source: Kaplan et al., arXiv 2001.08361, equation 1.4.
inline FormulaFunction critical_batch_at_loss{
    [](double loss, double scale, double exponent) { return scale / std::pow(loss, 1 / exponent); }};

/// Optimizer steps of a run.
inline FormulaFunction training_steps{
    [](double tokens, double batch_tokens) { return std::ceil(tokens / batch_tokens); }};

} // namespace meshwright::formula
