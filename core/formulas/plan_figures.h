// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/checkpoints.h"
#include "formulas/costs.h"
#include "formulas/function.h"
#include "formulas/training_compute.h"

#include <algorithm>
#include <cmath>

/// FLOPs of a plan's model counted matrix by matrix, and the figures of a step and of a run that follow from its time.
namespace meshwright::formula {

/// A multiply-add a weight and token. @param copies  of the matrix that a token passes: experts of a token
/// Source: Kaplan and others, arXiv 2001.08361, section 2.1.
inline FormulaFunction weight_flops{
    [](double inputs, double outputs, double copies) { return 2 * inputs * outputs * copies; }};
/// Scores and their use for one token. @param width  heads times the widths of a query and of a value together
inline FormulaFunction attention_token_flops{[](double keys, double width) { return 2 * keys * width; }};
/// Choosing the keys: a score for each in narrow heads, under the causal mask or without.
inline FormulaFunction index_token_flops{
    [](double sequence, double width, double causal) { return (2 - causal) * sequence * width; }};
/// Forward and twice as much backward. Source: the same.
inline FormulaFunction trained_token_flops{
    [](double multiplies, double attention) { return 3 * (multiplies + attention); }};
inline FormulaFunction step_flops{[](double token_flops, double batch_tokens) { return token_flops * batch_tokens; }};
inline FormulaFunction hardware_step_flops{[](double flops, double recomputed_per_token, double batch_tokens) {
    return flops + recomputed_per_token * batch_tokens;
}};

/// What each accelerator achieves.
inline FormulaFunction achieved_flops_per_second{
    [](double flops, double seconds, double accelerators) { return flops / seconds / accelerators; }};
inline FormulaFunction tokens_per_second_each{
    [](double site_rate, double accelerators) { return site_rate / accelerators; }};
/// An end of the interval round an estimate.
inline FormulaFunction interval_end{[](double seconds, double factor) { return seconds * factor; }};

/// Probability that the measured peak stays below the capacity. Assumed: the logarithm of measured over predicted is
/// logistic on either side of the prediction, which is its median, with a tenth beyond each end of the 80 % interval:
/// odds of 9 at an end. @param end_bytes  end of the peak's interval on the capacity's side of the peak
/// Source: odds of the logistic distribution; the interval is that of the errors on measured runs.
inline FormulaFunction fit_probability{[](double capacity_bytes, double peak_bytes, double end_bytes) {
    return 1 / (1 + std::pow(9, -std::log(capacity_bytes / peak_bytes) / std::abs(std::log(end_bytes / peak_bytes))));
}};

/// Steps of a site. @param batch_tokens  of one step of one site
inline FormulaFunction site_steps{
    [](double tokens, double batch_tokens, double sites) { return std::ceil(tokens / (batch_tokens * sites)); }};
inline FormulaFunction all_steps_seconds{[](double steps, double step_seconds) { return steps * step_seconds; }};
inline FormulaFunction rounds_of_steps{[](double steps, double inner_steps) { return steps / inner_steps; }};
/// With what failures and checkpoints cost.
inline FormulaFunction run_seconds{[](double training_seconds, double goodput) { return training_seconds / goodput; }};
inline FormulaFunction days_of_seconds{[](double seconds) { return seconds / seconds_per_day; }};
/// What of a checkpoint's writing stops training.
inline FormulaFunction blocking_write_seconds{
    [](double write_seconds, double blocking_share) { return write_seconds * blocking_share; }};
inline FormulaFunction mean_power_watts{
    [](double rated_watts, double power_share) { return rated_watts * power_share; }};

/// A site's link over one round: bytes of its updates, and how long the link is busy.
inline FormulaFunction outer_round_seconds{
    [](double inner_seconds, double stall_seconds) { return inner_seconds + stall_seconds; }};
inline FormulaFunction link_load{[](double bytes, double bits_per_second, double round_seconds) {
    return bytes * 8 / bits_per_second / round_seconds;
}};

} // namespace meshwright::formula
