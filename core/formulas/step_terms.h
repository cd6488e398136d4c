// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"
#include "formulas/kernels.h"

#include <algorithm>
#include <cmath>

/// The terms of a step: what every microbatch takes, and which part of the traffic is seen. Times in seconds; overlaps
/// are shares hidden, exposed shares what is seen all the same.
namespace meshwright::formula {

/// Waiting for the slowest: a loss for each doubling beyond eight accelerators.
inline FormulaFunction straggler_factor{[](double loss_per_doubling, double accelerators) {
    return 1 + loss_per_doubling * std::log2(std::max(1.0, accelerators / 8));
}};
/// What every microbatch takes, over the step.
inline FormulaFunction microbatched_seconds{
    [](double microbatches, double seconds, double factor) { return microbatches * seconds * factor; }};

/// Collectives of a layer's split parts. With sequence parallelism an all-gather and a reduce-scatter a part and
/// direction, of which a share is hidden; backward gathers the input once more for the weight gradient, half hidden.
/// Source: Korthikanti and others, arXiv 2205.05198, section 4.2.2.
/// @param copy_seconds  copying a tensor into its order, which nothing hides
inline FormulaFunction sequence_forward_seconds{
    [](double parts, double gather_seconds, double overlap, double copy_seconds) {
        return 2 * parts * (gather_seconds * (1 - overlap) + copy_seconds);
    }};
inline FormulaFunction sequence_backward_seconds{
    [](double parts, double gather_seconds, double overlap, double copy_seconds) {
        return 2.5 * parts * (gather_seconds * (1 - overlap) + copy_seconds);
    }};
/// A tensor is read and written to get into its order.
inline FormulaFunction copy_seconds{[](double bytes, double memory_rate) { return 2 * bytes / memory_rate; }};
/// Without it an all-reduce a part and direction. Source: Megatron-LM, arXiv 1909.08053, section 3.
inline FormulaFunction tensor_forward_seconds{
    [](double parts, double reduce_seconds) { return parts * reduce_seconds; }};

/// Tokens to their experts and back, and the gathering of expert tensor parallelism before and behind.
inline FormulaFunction expert_exchange_seconds{[](double dispatch_seconds, double gather_seconds, double overlap) {
    return (2 * dispatch_seconds + 2 * gather_seconds) * (1 - overlap);
}};
/// DualPipe runs one microbatch's forward beside another's backward pass, so that expert traffic hides behind both:
/// what is left is the longer of the two and a share for the seams.
/// Source: DeepSeek-V3, arXiv 2412.19437, section 3.2.1, and its published training trace.
/// @param exposed_seconds  what the stack's overlap leaves  @param rest_seconds  everything else of a microbatch
inline FormulaFunction paired_exchange_seconds{[](double exposed_seconds, double overlap, double rest_seconds) {
    constexpr double seam = 0.09;
    const double traffic = exposed_seconds / std::max(0.05, 1 - overlap);
    return std::min(exposed_seconds, std::max(0.0, (1 + seam) * std::max(rest_seconds, traffic) - rest_seconds));
}};

/// Keys and values of a layer, as they go round the ring of context-parallel ranks.
/// Source: Ring Attention, arXiv 2310.01889, section 3.
inline FormulaFunction ring_exchange_bytes{[](double tokens, double kv_width, double element_bytes, double ways) {
    return 2 * tokens * kv_width * element_bytes / ways;
}};
/// The ring hides behind attention what attention lasts; its first step is always seen.
inline FormulaFunction ring_forward_seconds{[](double exchange_seconds, double attention_seconds) {
    return std::max(exchange_seconds / 4, exchange_seconds - attention_seconds);
}};
/// Backward, keys and values go round again with their gradients.
inline FormulaFunction ring_backward_seconds{[](double exchange_seconds, double attention_seconds) {
    return std::max(exchange_seconds / 2, 2 * exchange_seconds - attention_seconds);
}};
/// Latents are gathered, half of the time beside other work.
inline FormulaFunction latent_gather_seconds{
    [](double exchange_seconds, double passes) { return passes * exchange_seconds / 2; }};

/// Work beside which gradients are reduced and weights gathered: most of one microbatch's pass, with chunks half of a
/// round of microbatches.
inline FormulaFunction pass_window_seconds{[](double pass_seconds, double share) { return share * pass_seconds; }};
inline FormulaFunction chunk_window_seconds{[](double pass_seconds, double microbatches, double stages) {
    return 0.5 * std::min(microbatches, stages) * pass_seconds;
}};
/// Traffic that starts while a pass still runs: what does not fit beside it, and a share in any case.
inline FormulaFunction beside_seconds{[](double traffic_seconds, double window_seconds, double exposed_share) {
    return std::max(exposed_share * traffic_seconds, traffic_seconds - window_seconds);
}};
/// ZeRO-2 keeps one shard of the gradients, so that they are reduced as soon as a rank turns to another chunk: after
/// every microbatch, or after a round of them. Source: Breadth-First Pipeline Parallelism, arXiv 2211.05953, section 4.
inline FormulaFunction reductions_a_step{
    [](double microbatches, double in_a_row) { return std::ceil(microbatches / in_a_row); }};
/// What is seen at every reduction; ZeRO-3 gathers for every microbatch as well.
inline FormulaFunction repeated_seconds{
    [](double times, double each_seconds, double once_seconds) { return times * each_seconds + once_seconds; }};
/// The next microbatch's forward pass hides traffic too, of which the gathering of weights may want the other half.
inline FormulaFunction reduction_window_seconds{
    [](double backward_seconds, double forward_seconds, double window_seconds) {
        return std::min(backward_seconds + forward_seconds / 2, window_seconds);
    }};
/// Traffic takes multiprocessors and memory from compute for as long as links inside a server would need; the rest of
/// its time it waits for the network.
inline FormulaFunction busy_links_seconds{[](double traffic_seconds, double bytes, double bandwidth) {
    return std::min(traffic_seconds, bytes / bandwidth);
}};
/// Weights gathered layer by layer ahead of use: the first layer's gathering is seen, and a share of what compute and
/// busy links have in common. Source: PyTorch FSDP, arXiv 2304.11277, section 3.3.
inline FormulaFunction sharded_pass_seconds{
    [](double pass_seconds, double traffic_seconds, double layers, double exposed_share, double busy_seconds) {
        return std::max(0.0, traffic_seconds - pass_seconds) + traffic_seconds / layers
            + exposed_share * std::min(pass_seconds, busy_seconds);
    }};

/// Parameters that a rank updates: its shards of dense and of expert weights, shared with the other copies of a stage.
inline FormulaFunction updated_parameters{
    [](double dense, double experts, double dense_shards, double expert_shards, double copies) {
        return (dense / dense_shards + experts / expert_shards) / copies;
    }};
/// Memory traffic of the update, and what the software does once a step.
inline FormulaFunction optimizer_seconds{[](double parameters, double bytes_per_parameter, double memory_rate,
                                            double gap, double software_seconds, double sums_seconds) {
    return memory_bound_seconds(parameters * bytes_per_parameter, 1, memory_rate, gap) + software_seconds
        + sums_seconds;
}};
/// A step sums two numbers over ranks: the norm of the gradients, before the update, and the loss. Both are taken to go
/// over all accelerators; some software sums norms over model-parallel ranks and losses over replicas alone.
/// Source: Megatron-LM, megatron/core/optimizer/clip_grads.py; nanotron, src/nanotron/optim/clip_grads.py, trainer.py
inline FormulaFunction step_sums_seconds{[](double reduce_seconds) { return 2 * reduce_seconds; }};

/// What sends add to the makespan of the other schedules: so many hops that no order hides.
inline FormulaFunction fill_send_seconds{
    [](double hops, double stages, double chunks, double hop) { return hops * (stages * chunks - 1) * hop; }};
/// Interleaving without overlap waits at every chunk of every microbatch.
inline FormulaFunction chunk_send_seconds{
    [](double microbatches, double chunks, double hop) { return 2 * microbatches * chunks * hop; }};

/// Pipeline shares of the step: what ranks wait, against what they do and against all of it.
inline FormulaFunction waiting_seconds{
    [](double bubble_seconds, double send_seconds) { return bubble_seconds + send_seconds; }};
inline FormulaFunction idle_of_ideal_share{
    [](double idle_seconds, double makespan_seconds) { return idle_seconds / (makespan_seconds - idle_seconds); }};
inline FormulaFunction idle_of_makespan_share{
    [](double idle_seconds, double makespan_seconds) { return idle_seconds / makespan_seconds; }};
/// Of the busiest rank's own span, from its first operation to its last.
inline FormulaFunction idle_of_span_share{[](double idle_seconds, double makespan_seconds, double span_idle_seconds) {
    return span_idle_seconds / (makespan_seconds - idle_seconds + span_idle_seconds);
}};

} // namespace meshwright::formula
