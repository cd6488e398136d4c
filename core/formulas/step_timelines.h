// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/batch_and_rates.h"
#include "formulas/function.h"

#include <cstdint>
#include <span>
#include <vector>

namespace meshwright {

/// Lanes of a data-parallel step: forward and backward passes on the accelerator, and the reduction of gradients.
enum class StepLane { compute, reduce };

/// An activity on one lane of a timeline, in seconds from the start of the step.
struct StepSpan {
    StepLane lane = StepLane::compute;
    std::int64_t index = 0; ///< microbatch, layer, bucket or optimizer step, from 0 in time order
    double start = 0;
    double end = 0;
};

/// Timeline of steps with gradient accumulation: the microbatches of each step, followed by its all-reduce.
std::vector<StepSpan> accumulation_timeline(std::int64_t steps, std::int64_t accumulation_steps,
                                            double micro_batch_seconds, double all_reduce_seconds);

/// Timeline of a backward pass whose gradients are reduced in buckets: each reduction starts once the bucket's backward
/// pass is done and the previous bucket is reduced. Source: PyTorch Distributed, Li et al., arXiv 2006.15704, sections
/// 3.2.2 and 3.2.3.
/// @param compute_seconds time of each bucket's backward pass, in order of execution; the same length as
/// `reduce_seconds`
std::vector<StepSpan> overlap_timeline(std::span<const double> compute_seconds, std::span<const double> reduce_seconds);

/// Time from the end of the last backward pass to the end of the last reduction.
double exposed_seconds(std::span<const StepSpan> timeline);

namespace formula {

/// Number of optimizer steps finished by a given time, with gradient accumulation.
inline FormulaFunction finished_updates{[](auto accumulation_steps, auto micro_batch_seconds, auto all_reduce_seconds,
                                           auto time_seconds) {
    return floor(time_seconds / accumulated_step_seconds(accumulation_steps, micro_batch_seconds, all_reduce_seconds));
}};
inline FormulaFunction finished_microbatches{[](auto accumulation_steps, auto micro_batch_seconds,
                                                auto all_reduce_seconds, auto time_seconds) {
    const auto updates = finished_updates(accumulation_steps, micro_batch_seconds, all_reduce_seconds, time_seconds);
    const auto rest =
        time_seconds - updates * accumulated_step_seconds(accumulation_steps, micro_batch_seconds, all_reduce_seconds);
    return updates * accumulation_steps + min(accumulation_steps, floor(rest / micro_batch_seconds));
}};
/// Start time of a microbatch. Microbatches are numbered from 1 across all steps.
inline FormulaFunction microbatch_start_seconds{[](auto accumulation_steps, auto micro_batch_seconds,
                                                   auto all_reduce_seconds, auto microbatch) {
    return (microbatch - 1) * micro_batch_seconds + floor((microbatch - 1) / accumulation_steps) * all_reduce_seconds;
}};
/// Start time of an optimizer step's all-reduce; steps count from 1.
inline FormulaFunction reduction_start_seconds{
    [](auto accumulation_steps, auto micro_batch_seconds, auto all_reduce_seconds, auto update) {
        return update * accumulation_steps * micro_batch_seconds + (update - 1) * all_reduce_seconds;
    }};

/// Number of gradient buckets for equal layers. The last bucket holds the remaining layers.
inline FormulaFunction gradient_buckets{[](auto layers, auto bucket_layers) { return ceil(layers / bucket_layers); }};
inline FormulaFunction layers_in_buckets{
    [](auto layers, auto bucket_layers, auto buckets) { return min(layers, buckets * bucket_layers); }};
/// Time from the start of the backward pass until a bucket is full. @param bucket from 1
inline FormulaFunction bucket_ready_seconds{[](auto layers, auto backward_seconds, auto bucket_layers, auto bucket) {
    return backward_seconds / layers * layers_in_buckets(layers, bucket_layers, bucket);
}};
/// Time to reduce a bucket. @param bucket from 1 to the number of buckets
inline FormulaFunction bucket_reduce_seconds{
    [](auto layers, auto bucket_layers, auto layer_communication_seconds, auto latency, auto bucket) {
        return latency
            + layer_communication_seconds
            * (layers_in_buckets(layers, bucket_layers, bucket) - layers_in_buckets(layers, bucket_layers, bucket - 1));
    }};
/// Start time of a bucket's reduction, when the bucket is full and the link is free. All buckets before the last are
/// equal. If they take longer to reduce than to fill, the link has been busy since the first bucket was full;
/// otherwise, it only has to finish the previous bucket.
inline FormulaFunction bucket_start_seconds{[](auto layers, auto backward_seconds, auto bucket_layers,
                                               auto layer_communication_seconds, auto latency, auto bucket) {
    const auto ready = bucket_ready_seconds(layers, backward_seconds, bucket_layers, bucket);
    const auto passes = backward_seconds / layers * bucket_layers;
    const auto reduction = latency + layer_communication_seconds * bucket_layers;
    return when(
        bucket > 1,
        [&] { return max(ready, max((bucket - 1) * passes + reduction, passes + (bucket - 1) * reduction)); }, ready);
}};
inline FormulaFunction bucket_end_seconds{[](auto layers, auto backward_seconds, auto bucket_layers,
                                             auto layer_communication_seconds, auto latency, auto bucket) {
    return bucket_start_seconds(layers, backward_seconds, bucket_layers, layer_communication_seconds, latency, bucket)
        + bucket_reduce_seconds(layers, bucket_layers, layer_communication_seconds, latency, bucket);
}};

/// Clamps a bucket number to the last bucket, so that the functions below accept any number from 1.
inline FormulaFunction bucket_at{
    [](auto layers, auto bucket_layers, auto bucket) { return min(bucket, gradient_buckets(layers, bucket_layers)); }};
inline FormulaFunction ready_seconds_at{[](auto layers, auto backward_seconds, auto bucket_layers, auto bucket) {
    return bucket_ready_seconds(layers, backward_seconds, bucket_layers, bucket_at(layers, bucket_layers, bucket));
}};
inline FormulaFunction start_seconds_at{[](auto layers, auto backward_seconds, auto bucket_layers,
                                           auto layer_communication_seconds, auto latency, auto bucket) {
    return bucket_start_seconds(layers, backward_seconds, bucket_layers, layer_communication_seconds, latency,
                                bucket_at(layers, bucket_layers, bucket));
}};
inline FormulaFunction end_seconds_at{[](auto layers, auto backward_seconds, auto bucket_layers,
                                         auto layer_communication_seconds, auto latency, auto bucket) {
    return bucket_end_seconds(layers, backward_seconds, bucket_layers, layer_communication_seconds, latency,
                              bucket_at(layers, bucket_layers, bucket));
}};

/// Time of the backward pass of the layers in the last of several buckets.
inline FormulaFunction last_bucket_seconds{[](auto layers, auto backward_seconds, auto bucket_layers) {
    return backward_seconds / layers * (layers - (gradient_buckets(layers, bucket_layers) - 1) * bucket_layers);
}};
/// Time from the end of the backward pass to the end of the last reduction. It consists of the last bucket's own
/// reduction and the backlog of the link, which grows with each bucket that takes longer to reduce than to fill.
inline FormulaFunction bucket_exposed_seconds{
    [](auto layers, auto backward_seconds, auto bucket_layers, auto layer_communication_seconds, auto latency) {
        const auto buckets = gradient_buckets(layers, bucket_layers);
        const auto passes = backward_seconds / layers * bucket_layers;
        const auto reduction = latency + layer_communication_seconds * bucket_layers;
        return bucket_reduce_seconds(layers, bucket_layers, layer_communication_seconds, latency, buckets)
            + when(
                   buckets > 1,
                   [&] {
                       return max(0,
                                  reduction - last_bucket_seconds(layers, backward_seconds, bucket_layers)
                                      + (buckets - 2) * max(0, reduction - passes));
                   },
                   0);
    }};
/// Time of the reductions that overlap with the backward pass.
inline FormulaFunction bucket_overlapped_seconds{
    [](auto layers, auto backward_seconds, auto bucket_layers, auto layer_communication_seconds, auto latency) {
        const auto buckets = gradient_buckets(layers, bucket_layers);
        const auto passes = backward_seconds / layers * bucket_layers;
        const auto reduction = latency + layer_communication_seconds * bucket_layers;
        return when(
            buckets > 1,
            [&] {
                return min((buckets - 1) * reduction,
                           last_bucket_seconds(layers, backward_seconds, bucket_layers)
                               + (buckets - 2) * min(passes, reduction));
            },
            0);
    }};
inline FormulaFunction bucket_overlapped_fraction{
    [](auto layers, auto backward_seconds, auto bucket_layers, auto layer_communication_seconds, auto latency) {
        return bucket_overlapped_seconds(layers, backward_seconds, bucket_layers, layer_communication_seconds, latency)
            / (layers * layer_communication_seconds + gradient_buckets(layers, bucket_layers) * latency);
    }};

} // namespace formula

} // namespace meshwright
