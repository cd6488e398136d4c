// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"
#include "formulas/kernels.h"

#include <algorithm>
#include <cmath>

/// The terms of the step time: compute per microbatch and exposed communication. Times are in seconds. `overlap` is the
/// overlapped fraction, `exposed_share` the fraction that is exposed in any case.
namespace meshwright::formula {

/// Waiting for the slowest accelerator: a slowdown per doubling beyond eight accelerators.
inline FormulaFunction straggler_factor{[](double loss_per_doubling, double accelerators) {
    return 1 + loss_per_doubling * std::log2(std::max(1.0, accelerators / 8));
}};
/// Time per microbatch, summed over the step.
inline FormulaFunction microbatched_seconds{
    [](double microbatches, double seconds, double factor) { return microbatches * seconds * factor; }};

/// Collectives of a layer's tensor-parallel blocks with sequence parallelism: an all-gather and a reduce-scatter per
/// block and direction, partly overlapped. The backward pass gathers the input once more for the weight gradient, half
/// overlapped.
/// Source: Korthikanti et al., arXiv 2205.05198, section 4.2.2.
/// @param copy_seconds reordering of a tensor, never overlapped
inline FormulaFunction sequence_forward_seconds{
    [](double parts, double gather_seconds, double overlap, double copy_seconds) {
        return 2 * parts * (gather_seconds * (1 - overlap) + copy_seconds);
    }};
inline FormulaFunction sequence_backward_seconds{
    [](double parts, double gather_seconds, double overlap, double copy_seconds) {
        return 2.5 * parts * (gather_seconds * (1 - overlap) + copy_seconds);
    }};
/// Reordering a tensor reads and writes it once.
inline FormulaFunction copy_seconds{[](double bytes, double memory_rate) { return 2 * bytes / memory_rate; }};
/// Without sequence parallelism: one all-reduce per block and direction. Source: Megatron-LM, arXiv 1909.08053, section
/// 3.
inline FormulaFunction tensor_forward_seconds{
    [](double parts, double reduce_seconds) { return parts * reduce_seconds; }};

/// Expert dispatch and combine, with the all-gather and reduce-scatter of expert tensor parallelism.
inline FormulaFunction expert_exchange_seconds{[](double dispatch_seconds, double gather_seconds, double overlap) {
    return (2 * dispatch_seconds + 2 * gather_seconds) * (1 - overlap);
}};
/// DualPipe pairs one microbatch's forward pass with another's backward pass and overlaps expert communication with
/// both. The result is the longer of the two plus a fraction for the seams.
/// Source: DeepSeek-V3, arXiv 2412.19437, section 3.2.1, and its published training trace.
/// @param exposed_seconds exposed communication with the stack's own overlap
/// @param rest_seconds all other time per microbatch
inline FormulaFunction paired_exchange_seconds{[](double exposed_seconds, double overlap, double rest_seconds) {
    constexpr double seam = 0.09;
    const double traffic = exposed_seconds / std::max(0.05, 1 - overlap);
    return std::min(exposed_seconds, std::max(0.0, (1 + seam) * std::max(rest_seconds, traffic) - rest_seconds));
}};

/// Keys and values of a layer that circulate among context-parallel ranks.
/// Source: Ring Attention, arXiv 2310.01889, section 3.
inline FormulaFunction ring_exchange_bytes{[](double tokens, double kv_width, double element_bytes, double ways) {
    return 2 * tokens * kv_width * element_bytes / ways;
}};
/// The ring overlaps with attention; its first step is always exposed.
inline FormulaFunction ring_forward_seconds{[](double exchange_seconds, double attention_seconds) {
    return std::max(exchange_seconds / 4, exchange_seconds - attention_seconds);
}};
/// In the backward pass keys and values circulate again, with their gradients.
inline FormulaFunction ring_backward_seconds{[](double exchange_seconds, double attention_seconds) {
    return std::max(exchange_seconds / 2, 2 * exchange_seconds - attention_seconds);
}};
/// Latents are all-gathered; half of the time overlaps with other work.
inline FormulaFunction latent_gather_seconds{
    [](double exchange_seconds, double passes) { return passes * exchange_seconds / 2; }};

/// Compute that overlaps with gradient reduction and weight gathering: most of one microbatch's pass, or with chunks
/// half of a round of microbatches.
inline FormulaFunction pass_window_seconds{[](double pass_seconds, double share) { return share * pass_seconds; }};
inline FormulaFunction chunk_window_seconds{[](double pass_seconds, double microbatches, double stages) {
    return 0.5 * std::min(microbatches, stages) * pass_seconds;
}};
/// Exposed communication that starts during a pass: the part that does not fit into the window, and at least a fixed
/// fraction.
inline FormulaFunction exposed_beyond_window{[](double traffic_seconds, double window_seconds, double exposed_share) {
    return std::max(exposed_share * traffic_seconds, traffic_seconds - window_seconds);
}};
/// ZeRO-2 stores one shard of the gradients, so they are reduced whenever a rank switches to another chunk: after every
/// microbatch, or after a round of them. Source: Breadth-First Pipeline Parallelism, arXiv 2211.05953, section 4.
inline FormulaFunction reductions_a_step{
    [](double microbatches, double in_a_row) { return std::ceil(microbatches / in_a_row); }};
/// Exposed communication at every reduction; with ZeRO-3 also at the gathering for every microbatch.
inline FormulaFunction repeated_seconds{
    [](double times, double each_seconds, double once_seconds) { return times * each_seconds + once_seconds; }};
/// The next microbatch's forward pass also overlaps with the reduction, except for half of it that weight gathering may
/// use.
inline FormulaFunction reduction_window_seconds{
    [](double backward_seconds, double forward_seconds, double window_seconds) {
        return std::min(backward_seconds + forward_seconds / 2, window_seconds);
    }};
/// Communication competes with compute for multiprocessors and memory as long as intra-node links would need for the
/// bytes; the rest of its time it waits for the network.
inline FormulaFunction busy_links_seconds{[](double traffic_seconds, double bytes, double bandwidth) {
    return std::min(traffic_seconds, bytes / bandwidth);
}};
/// Weights prefetched layer by layer: the first layer's gathering is exposed, and so is a fraction of the time that
/// compute and intra-node links are both busy. Source: PyTorch FSDP, arXiv 2304.11277, section 3.3.
inline FormulaFunction sharded_pass_seconds{
    [](double pass_seconds, double traffic_seconds, double layers, double exposed_share, double busy_seconds) {
        return std::max(0.0, traffic_seconds - pass_seconds) + traffic_seconds / layers
            + exposed_share * std::min(pass_seconds, busy_seconds);
    }};

/// Parameters that a rank updates: its shards of dense and expert weights, divided among the copies of a stage.
inline FormulaFunction updated_parameters{
    [](double dense, double experts, double dense_shards, double expert_shards, double copies) {
        return (dense / dense_shards + experts / expert_shards) / copies;
    }};
/// Memory traffic of the optimizer update plus the software overhead per step.
inline FormulaFunction optimizer_seconds{[](double parameters, double bytes_per_parameter, double memory_rate,
                                            double gap, double software_seconds, double sums_seconds) {
    return memory_bound_seconds(parameters * bytes_per_parameter, 1, memory_rate, gap) + software_seconds
        + sums_seconds;
}};
/// A step all-reduces two numbers: the gradient norm before the update, and the loss. Both are assumed to span all
/// accelerators; some software reduces norms over model-parallel ranks and losses over replicas only.
/// Source: Megatron-LM, megatron/core/optimizer/clip_grads.py; nanotron, src/nanotron/optim/clip_grads.py, trainer.py
inline FormulaFunction step_sums_seconds{[](double reduce_seconds) { return 2 * reduce_seconds; }};

/// Time that sends add to the makespan of the other schedules: the hops that no order overlaps.
inline FormulaFunction fill_send_seconds{
    [](double hops, double stages, double chunks, double hop) { return hops * (stages * chunks - 1) * hop; }};
/// Interleaving without overlap waits at every chunk of every microbatch.
inline FormulaFunction chunk_send_seconds{
    [](double microbatches, double chunks, double hop) { return 2 * microbatches * chunks * hop; }};

/// Pipeline idle time as a fraction of ideal time and of total time.
inline FormulaFunction waiting_seconds{
    [](double bubble_seconds, double send_seconds) { return bubble_seconds + send_seconds; }};
inline FormulaFunction idle_of_ideal_share{
    [](double idle_seconds, double makespan_seconds) { return idle_seconds / (makespan_seconds - idle_seconds); }};
inline FormulaFunction idle_of_makespan_share{
    [](double idle_seconds, double makespan_seconds) { return idle_seconds / makespan_seconds; }};
/// Idle fraction of the busiest rank's own span, from its first operation to its last.
inline FormulaFunction idle_of_span_share{[](double idle_seconds, double makespan_seconds, double span_idle_seconds) {
    return span_idle_seconds / (makespan_seconds - idle_seconds + span_idle_seconds);
}};

} // namespace meshwright::formula
