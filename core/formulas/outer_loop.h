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

/// DiLoCo and Streaming DiLoCo: time, bandwidth and loss.
namespace meshwright::formula {

inline FormulaFunction outer_interval_seconds{
    [](double step_seconds, double inner_steps) { return step_seconds * inner_steps; }};

/// Compute utilization: fraction of time that sites compute.
inline FormulaFunction outer_utilisation{
    [](double inner_seconds, double sync_seconds) { return inner_seconds / (inner_seconds + sync_seconds); }};

/// Rounds of a run in which each site trains on its own batch.
inline FormulaFunction outer_rounds{[](double tokens, double batch_tokens, double sites, double inner_steps) {
    return tokens / (batch_tokens * sites * inner_steps);
}};

/// Upper bound on compute utilization when everything overlaps: compute time over the time of the busier direction.
/// @param full_duplex 0: both directions share the link
inline FormulaFunction outer_throughput_bound{
    [](double inner_seconds, double up_seconds, double down_seconds, double full_duplex) {
        const double busy = full_duplex != 0 ? std::max(up_seconds, down_seconds) : up_seconds + down_seconds;
        return std::min(1.0, inner_seconds / busy);
    }};

/// Bandwidth needed for a compute utilization. An all-reduce moves 2 (1 - 1/M) of the parameters; the gradients of a
/// step become ready in `buckets` buckets over the backward pass, two thirds of the step; a fragment may be late by
/// overlap_steps.
/// Source: closed form of the authors' bandwidth simulator for Streaming DiLoCo, arXiv 2501.18512, table 4.
inline FormulaFunction diloco_bits_per_second{[](double parameters, double step_seconds, double inner_steps,
                                                 double fragments, double overlap_steps, double bits, double replicas,
                                                 double utilisation_wanted, double buckets) {
    const double volume = 2 * (1 - 1 / replicas) * parameters * bits;
    const double inner = inner_steps * step_seconds;
    const double slack = inner / fragments * (1 / utilisation_wanted - 1) + overlap_steps * step_seconds
        + 2 * step_seconds / 3 * (1 - 1 / buckets);
    return std::max(volume * utilisation_wanted / inner, volume / fragments / slack);
}};

/// Wall-clock time of DiLoCo with two or more replicas. Source: Charles et al., arXiv 2503.09799, appendix A.
inline FormulaFunction wall_clock_steps{[](double tokens, double batch_tokens) { return tokens / batch_tokens; }};
inline FormulaFunction wall_clock_compute{
    [](double parameters, double tokens, double accelerators, double flops_per_second, double flops_per_parameter) {
        return training_flops(parameters, tokens, flops_per_parameter) / (accelerators * flops_per_second);
    }};
/// All-reduces of all inner steps, inside replicas.
inline FormulaFunction wall_clock_inner{[](double parameters, double tokens, double accelerators, double batch_tokens,
                                           double replicas, double bits, double fast_bits_per_second,
                                           double fast_latency) {
    return (2 * parameters * bits / fast_bits_per_second * (1 - replicas / accelerators) + fast_latency)
        * wall_clock_steps(tokens, batch_tokens);
}};
/// All-reduces of all outer steps, between replicas.
inline FormulaFunction wall_clock_outer{[](double parameters, double tokens, double accelerators, double batch_tokens,
                                           double inner_steps, double bits, double slow_bits_per_second,
                                           double slow_latency) {
    return (2 * parameters * bits / slow_bits_per_second * (1 - 1 / accelerators) + slow_latency)
        * wall_clock_steps(tokens, batch_tokens) / inner_steps;
}};
inline FormulaFunction wall_clock_seconds{
    [](double parameters, double tokens, double accelerators, double flops_per_second, double batch_tokens,
       double replicas, double inner_steps, double bits, double fast_bits_per_second, double fast_latency,
       double slow_bits_per_second, double slow_latency, double flops_per_parameter) {
        return wall_clock_compute(parameters, tokens, accelerators, flops_per_second, flops_per_parameter)
            + wall_clock_inner(parameters, tokens, accelerators, batch_tokens, replicas, bits, fast_bits_per_second,
                               fast_latency)
            + wall_clock_outer(parameters, tokens, accelerators, batch_tokens, inner_steps, bits, slow_bits_per_second,
                               slow_latency);
    }};

/// Loss of DiLoCo as a function of parameters and replicas, joint fit. Source: arXiv 2503.09799, section 6.
inline FormulaFunction diloco_loss{[](double parameters, double replicas) {
    return 19.226 * std::pow(parameters, -0.0985) * std::pow(replicas, 0.0116);
}};
/// Loss of data-parallel training. Source: arXiv 2503.09799.
inline FormulaFunction data_parallel_loss{[](double parameters) { return 18.129 * std::pow(parameters, -0.0953); }};
/// Optimal learning rate and global batch size. The paper's law counts sequences of 2,048 tokens; the result is in
/// tokens. Source: arXiv 2503.09799.
inline FormulaFunction diloco_learning_rate{[](double parameters, double replicas) {
    return 22256 * std::pow(parameters, -0.8827) * std::pow(replicas, 0.2929);
}};
inline FormulaFunction diloco_batch_tokens{[](double parameters, double replicas) {
    return 0.00709 * std::pow(parameters, 0.4695) * std::pow(replicas, 0.3399) * 2048;
}};

/// Relative loss increase over data-parallel training, from replicas and from inner steps beyond 30. The coefficients
/// are the registry's replica-loss and inner-steps-loss constants. If the fit falls below data-parallel training, the
/// penalty is 0: the 0.1% that two replicas of 2.4B parameters gained (arXiv 2503.09799) is less than the fit's error.
inline FormulaFunction loss_penalty{[](double parameters, double replicas, double inner_steps, double slope,
                                       double exponent, double offset, double step_slope) {
    return std::expm1(std::max(0.0,
                               slope * std::pow(parameters / 1e9, exponent) * std::log(replicas) + offset
                                   + step_slope * std::max(0.0, std::log(inner_steps / 30))));
}};
/// Compute factor that offsets a relative loss increase: L ~ C^-0.0477. Source: arXiv 2503.09799.
inline FormulaFunction compute_for_loss{
    [](double relative_growth, double exponent) { return std::pow(1 + relative_growth, 1 / exponent); }};

/// The same factor along the compute-optimal frontier of a law with an irreducible loss E, where L - E ~ C^-(a b / (a +
/// b)): Hoffmann et al., arXiv 2203.15556, equation 4. @param law index into loss_laws, 2 for none
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

/// Time for a rejoining site to download weights and optimizer states.
inline FormulaFunction rejoin_seconds{[](double parameters, double bytes_per_parameter, double bits_per_second) {
    return parameters * bytes_per_parameter * 8 / bits_per_second;
}};

/// Time from a fragment's release until its average is back, when `together` fragments are released in one step: the
/// slower direction transfers them one after another. Source: a two-stage queue.
inline FormulaFunction fragment_lag{
    [](double up_seconds, double down_seconds, double together, double round_trip_seconds, double waiting_seconds) {
        return std::max(together * up_seconds + down_seconds, up_seconds + together * down_seconds) + round_trip_seconds
            + waiting_seconds;
    }};
/// Compute utilization if sites wait for the part of every fragment's lag beyond its overlap.
inline FormulaFunction lagging_utilisation{
    [](double inner_seconds, double fragments, double lag_seconds, double overlap_seconds) {
        return inner_seconds / (inner_seconds + fragments * std::max(0.0, lag_seconds - overlap_seconds));
    }};

/// Rate of each direction of a site's link to an aggregator for a compute utilization. Infinite if the round trip alone
/// takes longer than the overlap and the allowed stalls.
inline FormulaFunction star_bits_per_second{
    [](double up_bits, double down_bits, double inner_seconds, double step_seconds, double fragments,
       double inner_steps, double overlap_steps, double wanted, double round_trip_seconds, double full_duplex) {
        const double together = std::ceil(fragments / inner_steps);
        const double busy = full_duplex != 0 ? std::max(up_bits, down_bits) : up_bits + down_bits;
        const double lag = std::max(together * up_bits + down_bits, up_bits + together * down_bits) / fragments;
        const double slack =
            overlap_steps * step_seconds + inner_seconds / fragments * (1 / wanted - 1) - round_trip_seconds;
        if (slack <= 0)
            return std::numeric_limits<double>::infinity();
        return std::max(busy * wanted / inner_seconds, lag / slack);
    }};

/// List price of cloud egress by monthly tiers: 0.09, 0.085, 0.07 and 0.05 dollars per GB for the first 10, the next
/// 40, the next 100 and all further TB. Source: Amazon EC2 data transfer pricing, read in 2025.
inline FormulaFunction tiered_egress_dollars{[](double bytes, double months) {
    constexpr double terabyte = 1e12, gigabyte = 1e9;
    double left = bytes / months;
    double dollars = 0;
    for (const auto &[size, price] : {std::pair{10.0, 0.09}, {40.0, 0.085}, {100.0, 0.07}}) {
        const double part = std::min(left, size * terabyte);
        dollars += part / gigabyte * price;
        left -= part;
    }
    return months * (dollars + left / gigabyte * 0.05);
}};

/// Pipeline stages on separate sites (SWARM, arXiv 2301.11913): activations and their gradients cross every link
/// between stages once per token.
inline FormulaFunction wan_pipeline_seconds{
    [](double batch_tokens, double hidden, double bits, double bits_per_second) {
        return batch_tokens * hidden * bits / bits_per_second;
    }};
inline FormulaFunction wan_pipeline_utilisation{[](double parameters, double batch_tokens, double stages,
                                                   double stage_flops_per_second, double hidden, double bits,
                                                   double bits_per_second, double flops_per_parameter) {
    const double computing =
        training_flops(parameters, batch_tokens, flops_per_parameter) / (stages * stage_flops_per_second);
    return std::min(1.0, computing / wan_pipeline_seconds(batch_tokens, hidden, bits, bits_per_second));
}};
inline FormulaFunction wan_pipeline_bits{[](double parameters, double stages, double stage_flops_per_second,
                                            double hidden, double bits, double wanted, double flops_per_parameter) {
    return wanted * hidden * bits * stages * stage_flops_per_second / (flops_per_parameter * parameters);
}};

/// Minimum inner steps that overlap an exchange, or minimum overlap steps that hide one fragment's transfer.
inline FormulaFunction inner_steps_to_hide{
    [](double transfer, double step_seconds) { return std::ceil(transfer / step_seconds); }};

} // namespace meshwright::formula
