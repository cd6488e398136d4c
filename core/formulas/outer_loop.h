// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"
#include "formulas/scaling_laws.h"
#include "formulas/training_compute.h"
#include "formulas/wan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

/// Time, bandwidth and loss of DiLoCo and Streaming DiLoCo.
namespace meshwright::formula {

inline FormulaFunction outer_interval_seconds{
    [](auto step_seconds, auto inner_steps) { return step_seconds * inner_steps; }};

/// Compute utilization: the fraction of time that sites compute.
inline FormulaFunction outer_utilisation{
    [](auto inner_seconds, auto sync_seconds) { return inner_seconds / (inner_seconds + sync_seconds); }};

/// Number of rounds of a run if each site trains on its own batch.
inline FormulaFunction outer_rounds{[](auto tokens, auto batch_tokens, auto sites, auto inner_steps) {
    return tokens / (batch_tokens * sites * inner_steps);
}};

/// Upper bound on compute utilization if all transfers overlap with compute: compute time divided by the transfer time
/// of the busier direction.
/// @param full_duplex 0 if both directions share the link
inline FormulaFunction outer_throughput_bound{
    [](auto inner_seconds, auto up_seconds, auto down_seconds, auto full_duplex) {
        const auto busy = when(full_duplex != 0, max(up_seconds, down_seconds), up_seconds + down_seconds);
        return min(1.0, inner_seconds / busy);
    }};

/// Bandwidth needed for a compute utilization. An all-reduce moves 2 (1 - 1 / replicas) times the parameters. A step's
/// gradients become ready in `buckets` buckets during the backward pass, which takes two thirds of the step. A
/// fragment's average may arrive overlap_steps late. Source: closed form of the authors' bandwidth simulator for
/// Streaming DiLoCo, arXiv 2501.18512, table 4.
inline FormulaFunction diloco_bits_per_second{[](auto parameters, auto step_seconds, auto inner_steps, auto fragments,
                                                 auto overlap_steps, auto bits, auto replicas, auto utilisation_wanted,
                                                 auto buckets) {
    const auto volume = 2 * (1 - 1 / replicas) * parameters * bits;
    const auto inner = inner_steps * step_seconds;
    const auto slack = inner / fragments * (1 / utilisation_wanted - 1) + overlap_steps * step_seconds
        + 2 * step_seconds / 3 * (1 - 1 / buckets);
    return max(volume * utilisation_wanted / inner, volume / fragments / slack);
}};

/// Wall-clock time of DiLoCo with two or more replicas. Source: Charles et al., arXiv 2503.09799, appendix A.
inline FormulaFunction wall_clock_steps{[](auto tokens, auto batch_tokens) { return tokens / batch_tokens; }};
inline FormulaFunction wall_clock_compute{
    [](auto parameters, auto tokens, auto accelerators, auto flops_per_second, auto flops_per_parameter) {
        return training_flops(parameters, tokens, flops_per_parameter) / (accelerators * flops_per_second);
    }};
/// Time of the all-reduces of all inner steps, within replicas.
inline FormulaFunction wall_clock_inner{[](auto parameters, auto tokens, auto accelerators, auto batch_tokens,
                                           auto replicas, auto bits, auto fast_bits_per_second, auto fast_latency) {
    return (2 * parameters * bits / fast_bits_per_second * (1 - replicas / accelerators) + fast_latency)
        * wall_clock_steps(tokens, batch_tokens);
}};
/// Time of the all-reduces of all outer steps, between replicas.
inline FormulaFunction wall_clock_outer{[](auto parameters, auto tokens, auto accelerators, auto batch_tokens,
                                           auto inner_steps, auto bits, auto slow_bits_per_second, auto slow_latency) {
    return (2 * parameters * bits / slow_bits_per_second * (1 - 1 / accelerators) + slow_latency)
        * wall_clock_steps(tokens, batch_tokens) / inner_steps;
}};
inline FormulaFunction wall_clock_seconds{[](auto parameters, auto tokens, auto accelerators, auto flops_per_second,
                                             auto batch_tokens, auto replicas, auto inner_steps, auto bits,
                                             auto fast_bits_per_second, auto fast_latency, auto slow_bits_per_second,
                                             auto slow_latency, auto flops_per_parameter) {
    return wall_clock_compute(parameters, tokens, accelerators, flops_per_second, flops_per_parameter)
        + wall_clock_inner(parameters, tokens, accelerators, batch_tokens, replicas, bits, fast_bits_per_second,
                           fast_latency)
        + wall_clock_outer(parameters, tokens, accelerators, batch_tokens, inner_steps, bits, slow_bits_per_second,
                           slow_latency);
}};

/// Loss of DiLoCo by the joint fit over parameters and replicas. Source: arXiv 2503.09799, section 6.
inline FormulaFunction diloco_loss{
    [](auto parameters, auto replicas) { return 19.226 * pow(parameters, -0.0985) * pow(replicas, 0.0116); }};
/// Loss of data-parallel training. Source: arXiv 2503.09799.
inline FormulaFunction data_parallel_loss{[](auto parameters) { return 18.129 * pow(parameters, -0.0953); }};
/// Optimal learning rate and global batch size. The paper's law counts sequences of 2,048 tokens; the result is in
/// tokens. Source: arXiv 2503.09799.
inline FormulaFunction diloco_learning_rate{
    [](auto parameters, auto replicas) { return 22256 * pow(parameters, -0.8827) * pow(replicas, 0.2929); }};
inline FormulaFunction diloco_batch_tokens{
    [](auto parameters, auto replicas) { return 0.00709 * pow(parameters, 0.4695) * pow(replicas, 0.3399) * 2048; }};

/// Relative loss increase over data-parallel training, due to replicas and to more than 30 inner steps. The
/// coefficients are the registry's replica-loss and inner-steps-loss constants. The increase is 0 if the fitted loss is
/// below that of data-parallel training: two replicas of 2.4B parameters gained 0.1% (arXiv 2503.09799), less than the
/// fit's error.
inline FormulaFunction loss_penalty{
    [](auto parameters, auto replicas, auto inner_steps, auto slope, auto exponent, auto offset, auto step_slope) {
        return expm1(max(0.0,
                         slope * pow(parameters / 1e9, exponent) * log(replicas) + offset
                             + step_slope * max(0.0, log(inner_steps / 30))));
    }};
/// Multiplier on compute that offsets a relative loss increase: loss ~ compute^-0.0477. Source: arXiv 2503.09799.
inline FormulaFunction compute_for_loss{
    [](auto relative_growth, auto exponent) { return pow(1 + relative_growth, 1 / exponent); }};

/// Multiplier on compute that reaches another loss on the compute-optimal frontier of a law with an irreducible loss.
/// (loss - irreducible loss) ~ compute^-(a b / (a + b)), where a and b are the law's exponents for parameters and
/// tokens. NaN if the law is not in loss_laws. Source: Hoffmann et al., arXiv 2203.15556, equation 4.
/// @param law index into loss_laws
inline FormulaFunction compute_for_optimal_loss{
    [](double flops, double relative_growth, double law, double flops_per_parameter) {
        const auto place = static_cast<std::size_t>(law);
        if (place >= loss_laws.size())
            return std::nan("");
        const LossLaw &fit = loss_laws[place];
        const double loss = law_optimal_loss(flops, law, flops_per_parameter);
        const double exponent = fit.alpha * fit.beta / (fit.alpha + fit.beta);
        const double reducible = loss * (1 + relative_growth) - fit.E;
        return reducible <= 0 ? 0.0 : std::pow(reducible / (loss - fit.E), 1 / exponent);
    }};

/// Time that a rejoining site takes to download weights and optimizer states.
inline FormulaFunction rejoin_seconds{[](auto parameters, auto bytes_per_parameter, auto bits_per_second) {
    return parameters * bytes_per_parameter * 8 / bits_per_second;
}};

/// Time from sending a fragment until its average arrives. A step sends `together` fragments, which the slower
/// direction transfers one after another. Derived as a two-stage queue.
inline FormulaFunction fragment_lag{
    [](auto up_seconds, auto down_seconds, auto together, auto round_trip_seconds, auto waiting_seconds) {
        return max(together * up_seconds + down_seconds, up_seconds + together * down_seconds) + round_trip_seconds
            + waiting_seconds;
    }};
/// Compute utilization if sites wait for every fragment that arrives later than the overlap allows.
inline FormulaFunction lagging_utilisation{
    [](auto inner_seconds, auto fragments, auto lag_seconds, auto overlap_seconds) {
        return inner_seconds / (inner_seconds + fragments * max(0.0, lag_seconds - overlap_seconds));
    }};

/// Rate per direction that a site's link to an aggregator needs for a compute utilization. Infinite if the round trip
/// alone takes longer than the overlap and the allowed stalls together.
inline FormulaFunction star_bits_per_second{[](auto up_bits, auto down_bits, auto inner_seconds, auto step_seconds,
                                               auto fragments, auto inner_steps, auto overlap_steps, auto wanted,
                                               auto round_trip_seconds, auto full_duplex) {
    const auto together = ceil(fragments / inner_steps);
    const auto busy = when(full_duplex != 0, max(up_bits, down_bits), up_bits + down_bits);
    const auto lag = max(together * up_bits + down_bits, up_bits + together * down_bits) / fragments;
    const auto slack = overlap_steps * step_seconds + inner_seconds / fragments * (1 / wanted - 1) - round_trip_seconds;
    return when(slack > 0, max(busy * wanted / inner_seconds, lag / slack), unlimited);
}};

/// List price of cloud egress by monthly tiers: 0.09, 0.085, 0.07 and 0.05 dollars per GB for the first 10, the next
/// 40, the next 100 and all further TB. Source: Amazon EC2 data transfer pricing, read in 2025.
inline FormulaFunction tiered_egress_dollars{[](auto bytes, auto months) {
    constexpr UnitNumber terabyte = 1e12 * byte, gigabyte = 1e9 * byte;
    const auto monthly = bytes / months;
    const auto first_tier = min(monthly, 10 * terabyte);
    const auto second_tier = min(monthly - first_tier, 40 * terabyte);
    const auto third_tier = min(monthly - first_tier - second_tier, 100 * terabyte);
    const auto rest = monthly - first_tier - second_tier - third_tier;
    return months
        * (first_tier / gigabyte * 0.09 + second_tier / gigabyte * 0.085 + third_tier / gigabyte * 0.07
           + rest / gigabyte * 0.05)
        * dollar;
}};

/// Time per step of a pipeline whose stages are on separate sites (SWARM, arXiv 2301.11913). Activations and their
/// gradients cross every link between stages once per token.
inline FormulaFunction wan_pipeline_seconds{[](auto batch_tokens, auto hidden, auto bits, auto bits_per_second) {
    return batch_tokens * hidden * bits / bits_per_second;
}};
inline FormulaFunction wan_pipeline_utilisation{[](auto parameters, auto batch_tokens, auto stages,
                                                   auto stage_flops_per_second, auto hidden, auto bits,
                                                   auto bits_per_second, auto flops_per_parameter) {
    const auto computing =
        training_flops(parameters, batch_tokens, flops_per_parameter) / (stages * stage_flops_per_second);
    return min(1.0, computing / wan_pipeline_seconds(batch_tokens, hidden, bits, bits_per_second));
}};
inline FormulaFunction wan_pipeline_bits{[](auto parameters, auto stages, auto stage_flops_per_second, auto hidden,
                                            auto bits, auto wanted, auto flops_per_parameter) {
    return wanted * hidden * bits * stages * stage_flops_per_second / (flops_per_parameter * parameters);
}};

/// Minimum number of steps that hide a transfer: inner steps for a whole exchange, overlap steps for one fragment.
inline FormulaFunction inner_steps_to_hide{
    [](auto transfer, auto step_seconds) { return ceil(transfer / step_seconds); }};

} // namespace meshwright::formula
