// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/checkpoints.h"
#include "formulas/costs.h"
#include "formulas/function.h"
#include "formulas/training_compute.h"

#include <algorithm>
#include <cmath>

/// FLOPs of a plan's model, counted matrix by matrix, and figures of a step and a run that follow from the step time.
namespace meshwright::formula {

/// FLOPs of a weight matrix: one multiply-add per weight and token. Source: Kaplan et al., arXiv 2001.08361, section
/// 2.1.
/// @param copies number of copies of the matrix that process a token: experts per token
inline FormulaFunction weight_flops{
    [](auto inputs, auto outputs, auto copies) { return 2 * flop * inputs * outputs * copies; }};
/// FLOPs of the attention core for one token. @param width heads times the sum of query and value head dimensions
inline FormulaFunction attention_token_flops{[](auto keys, auto width) { return 2 * flop * keys * width; }};
/// FLOPs of the key selection in sparse attention: one score per key in narrow heads, with or without the causal mask.
inline FormulaFunction index_token_flops{
    [](auto sequence, auto width, auto causal) { return (2 - causal) * flop * sequence * width; }};
/// FLOPs per token of the forward pass plus a backward pass of twice its FLOPs. Source: arXiv 2001.08361, section 2.1.
inline FormulaFunction trained_token_flops{
    [](auto multiplies, auto attention) { return 3 * (multiplies + attention); }};
inline FormulaFunction step_flops{[](auto token_flops, auto batch_tokens) { return token_flops * batch_tokens; }};
inline FormulaFunction hardware_step_flops{[](auto flops, auto recomputed_per_token, auto batch_tokens) {
    return flops + recomputed_per_token * batch_tokens;
}};

/// Model FLOP/s per accelerator.
inline FormulaFunction achieved_flops_per_second{
    [](auto flops, auto seconds, auto accelerators) { return flops / seconds / accelerators; }};
inline FormulaFunction tokens_per_second_each{
    [](auto site_rate, auto accelerators) { return site_rate / accelerators; }};
/// One end of the interval around an estimate.
inline FormulaFunction interval_end{[](auto seconds, auto factor) { return seconds * factor; }};

/// Probability that the measured peak stays below the capacity. Assumes that ln(measured / predicted) has a logistic
/// distribution on either side of the prediction, which is its median. The measurement lies beyond each end of the 80%
/// interval with a probability of 10%, or odds of 1 to 9.
/// @param end_bytes end of the 80% interval: its upper end if the capacity is above the peak, otherwise its lower end
/// Source: odds of the logistic distribution; the interval comes from the errors on measured runs.
inline FormulaFunction fit_probability{[](auto capacity_bytes, auto peak_bytes, auto end_bytes) {
    return 1 / (1 + pow(9, -log(capacity_bytes / peak_bytes) / abs(log(end_bytes / peak_bytes))));
}};

/// Optimizer steps per site. @param batch_tokens tokens per step of one site
inline FormulaFunction site_steps{
    [](auto tokens, auto batch_tokens, auto sites) { return ceil(tokens / (batch_tokens * sites)); }};
inline FormulaFunction all_steps_seconds{[](auto steps, auto step_seconds) { return steps * step_seconds; }};
inline FormulaFunction rounds_of_steps{[](auto steps, auto inner_steps) { return steps / inner_steps; }};
/// Duration of a run including failures and checkpoints.
inline FormulaFunction run_seconds{[](auto training_seconds, auto goodput) { return training_seconds / goodput; }};
inline FormulaFunction days_of_seconds{[](auto seconds) { return seconds / seconds_per_day; }};
/// Time for which a checkpoint write blocks training.
inline FormulaFunction blocking_write_seconds{
    [](auto write_seconds, auto blocking_share) { return write_seconds * blocking_share; }};
inline FormulaFunction mean_power_watts{[](auto rated_watts, auto power_share) { return rated_watts * power_share; }};

/// Time of an outer round, and the fraction of that time during which a site's link is busy.
inline FormulaFunction outer_round_seconds{
    [](auto inner_seconds, auto stall_seconds) { return inner_seconds + stall_seconds; }};
inline FormulaFunction link_load{
    [](auto bytes, auto bits_per_second, auto round_seconds) { return bytes * 8 / bits_per_second / round_seconds; }};

} // namespace meshwright::formula
