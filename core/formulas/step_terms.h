// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"
#include "formulas/kernels.h"

#include <algorithm>
#include <cmath>

/// The terms of the step time: compute per microbatch and exposed communication, in seconds. `overlap` is the fraction
/// of communication that overlaps with compute; `exposed_share` is the fraction that is always exposed.
namespace meshwright::formula {

/// Multiplier on compute time for waiting for the slowest accelerator. It grows with each doubling beyond 8
/// accelerators.
inline FormulaFunction straggler_factor{
    [](auto loss_per_doubling, auto accelerators) { return 1 + loss_per_doubling * log2(max(1.0, accelerators / 8)); }};
inline FormulaFunction microbatched_seconds{
    [](auto microbatches, auto seconds, auto factor) { return microbatches * seconds * factor; }};

/// Time of a layer's tensor-parallel collectives with sequence parallelism: an all-gather and a reduce-scatter per
/// block and direction, partly overlapped. The backward pass gathers the input again for the weight gradient; half of
/// that overlaps. Source: Korthikanti et al., arXiv 2205.05198, section 4.2.2.
/// @param copy_seconds time to reorder a tensor, which never overlaps
inline FormulaFunction sequence_forward_seconds{[](auto parts, auto gather_seconds, auto overlap, auto copy_seconds) {
    return 2 * parts * (gather_seconds * (1 - overlap) + copy_seconds);
}};
inline FormulaFunction sequence_backward_seconds{[](auto parts, auto gather_seconds, auto overlap, auto copy_seconds) {
    return 2.5 * parts * (gather_seconds * (1 - overlap) + copy_seconds);
}};
/// Time to reorder a tensor: it is read once and written once.
inline FormulaFunction copy_seconds{[](auto bytes, auto memory_rate) { return 2 * bytes / memory_rate; }};
/// Time of tensor parallelism without sequence parallelism: one all-reduce per block and direction. Source:
/// Megatron-LM, arXiv 1909.08053, section 3.
inline FormulaFunction tensor_forward_seconds{[](auto parts, auto reduce_seconds) { return parts * reduce_seconds; }};

/// Time of expert dispatch and combine, including the all-gather and reduce-scatter of expert tensor parallelism.
inline FormulaFunction expert_exchange_seconds{[](auto dispatch_seconds, auto gather_seconds, auto overlap) {
    return (2 * dispatch_seconds + 2 * gather_seconds) * (1 - overlap);
}};
/// Exposed expert communication in DualPipe, which overlaps it with one microbatch's forward pass and another's
/// backward pass. The pair takes the longer of communication and compute, plus a fraction for imperfect overlap.
/// Source: DeepSeek-V3, arXiv 2412.19437, section 3.2.1, and its published training trace.
/// @param exposed_seconds exposed communication with the stack's own overlap
/// @param rest_seconds time per microbatch without expert communication
inline FormulaFunction paired_exchange_seconds{[](auto exposed_seconds, auto overlap, auto rest_seconds) {
    constexpr double seam = 0.09;
    const auto traffic = exposed_seconds / max(0.05, 1 - overlap);
    return min(exposed_seconds, max(0.0, (1 + seam) * max(rest_seconds, traffic) - rest_seconds));
}};

/// Bytes of a layer's keys and values that context-parallel ranks exchange in the ring. Source: Ring Attention, arXiv
/// 2310.01889, section 3.
inline FormulaFunction ring_exchange_bytes{[](auto tokens, auto kv_width, auto element_bytes, auto ways) {
    return 2 * tokens * kv_width * element_bytes / ways;
}};
/// Exposed time of the ring exchange: the part that does not overlap with attention, but at least a quarter of the
/// exchange.
inline FormulaFunction ring_forward_seconds{[](auto exchange_seconds, auto attention_seconds) {
    return max(exchange_seconds / 4, exchange_seconds - attention_seconds);
}};
/// Exposed time of the ring exchange in the backward pass, where keys, values and their gradients are exchanged.
inline FormulaFunction ring_backward_seconds{[](auto exchange_seconds, auto attention_seconds) {
    return max(exchange_seconds / 2, 2 * exchange_seconds - attention_seconds);
}};
/// Exposed time of all-gathering the MLA latents. Half of the all-gather overlaps with other work.
inline FormulaFunction latent_gather_seconds{
    [](auto exchange_seconds, auto passes) { return passes * exchange_seconds / 2; }};

/// Compute time available to overlap gradient reduction and weight gathering: a fraction of one microbatch's pass, or,
/// with chunks, half of min(microbatches, stages) passes.
inline FormulaFunction pass_window_seconds{[](auto pass_seconds, auto share) { return share * pass_seconds; }};
inline FormulaFunction chunk_window_seconds{
    [](auto pass_seconds, auto microbatches, auto stages) { return 0.5 * min(microbatches, stages) * pass_seconds; }};
/// Exposed part of communication that starts during a pass: the time by which it exceeds the compute time available for
/// overlap, but at least a fixed fraction of its time.
inline FormulaFunction exposed_beyond_window{[](auto traffic_seconds, auto window_seconds, auto exposed_share) {
    return max(exposed_share * traffic_seconds, traffic_seconds - window_seconds);
}};
/// Number of gradient reductions per step. ZeRO-2 stores only a gradient shard, so gradients are reduced whenever a
/// rank switches to another chunk: after one microbatch or a group of them. Source: Breadth-First Pipeline Parallelism,
/// arXiv 2211.05953, section 4.
inline FormulaFunction reductions_a_step{
    [](auto microbatches, auto in_a_row) { return ceil(microbatches / in_a_row); }};
/// Exposed communication per step. One part occurs with each reduction (ZeRO-2) or microbatch (ZeRO-3), the other part
/// once per step.
inline FormulaFunction repeated_seconds{
    [](auto times, auto each_seconds, auto once_seconds) { return times * each_seconds + once_seconds; }};
/// Compute time available to overlap the gradient reduction. It includes half of the next microbatch's forward pass;
/// the other half is left to weight gathering.
inline FormulaFunction reduction_window_seconds{[](auto backward_seconds, auto forward_seconds, auto window_seconds) {
    return min(backward_seconds + forward_seconds / 2, window_seconds);
}};
/// Time during which communication competes with compute for multiprocessors and memory: the time that intra-node links
/// would need for its bytes. For the rest of its time, communication waits for the network.
inline FormulaFunction busy_links_seconds{
    [](auto traffic_seconds, auto bytes, auto bandwidth) { return min(traffic_seconds, bytes / bandwidth); }};
/// Exposed time of prefetching weights layer by layer: communication that exceeds the compute of the pass, gathering
/// the first layer, and a fraction of the time during which compute and intra-node links are both busy. Source: PyTorch
/// FSDP, arXiv 2304.11277, section 3.3.
inline FormulaFunction sharded_pass_seconds{
    [](auto pass_seconds, auto traffic_seconds, auto layers, auto exposed_share, auto busy_seconds) {
        return max(0.0, traffic_seconds - pass_seconds) + traffic_seconds / layers
            + exposed_share * min(pass_seconds, busy_seconds);
    }};

/// Number of parameters that a rank updates: its shards of dense and expert weights, divided by the number of
/// pipeline ranks that hold a copy of the stage.
inline FormulaFunction updated_parameters{
    [](auto dense, auto experts, auto dense_shards, auto expert_shards, auto copies) {
        return (dense / dense_shards + experts / expert_shards) / copies;
    }};
/// Time of the optimizer step: memory traffic of the update, software overhead, and the all-reduces of gradient norm
/// and loss.
inline FormulaFunction optimizer_seconds{[](auto parameters, auto bytes_per_parameter, auto memory_rate, auto gap,
                                            auto software_seconds, auto sums_seconds) {
    return memory_bound_seconds(parameters * bytes_per_parameter, 1, memory_rate, gap) + software_seconds
        + sums_seconds;
}};
/// Time to all-reduce two numbers per step: the gradient norm before the update, and the loss. Both are assumed to span
/// all accelerators, but some software reduces norms over model-parallel ranks and losses over replicas only. Source:
/// Megatron-LM, megatron/core/optimizer/clip_grads.py; nanotron, src/nanotron/optim/clip_grads.py, trainer.py
inline FormulaFunction step_sums_seconds{[](auto reduce_seconds) { return 2 * reduce_seconds; }};

/// Time that sends add to the makespan if they overlap with compute in the steady state. No schedule can hide the sends
/// in warm-up and drain.
inline FormulaFunction fill_send_seconds{
    [](auto hops, auto stages, auto chunks, auto hop) { return hops * (stages * chunks - 1) * hop; }};
/// Time that sends add to interleaved schedules without overlap, because ranks wait at every chunk of every microbatch.
inline FormulaFunction chunk_send_seconds{
    [](auto microbatches, auto chunks, auto hop) { return 2 * microbatches * chunks * hop; }};

/// Pipeline idle time in seconds, as a fraction of ideal time, and as a fraction of total time.
inline FormulaFunction waiting_seconds{
    [](auto bubble_seconds, auto send_seconds) { return bubble_seconds + send_seconds; }};
inline FormulaFunction idle_of_ideal_share{
    [](auto idle_seconds, auto makespan_seconds) { return idle_seconds / (makespan_seconds - idle_seconds); }};
inline FormulaFunction idle_of_makespan_share{
    [](auto idle_seconds, auto makespan_seconds) { return idle_seconds / makespan_seconds; }};
/// Idle fraction of the busiest rank between its first and last operation.
inline FormulaFunction idle_of_span_share{[](auto idle_seconds, auto makespan_seconds, auto span_idle_seconds) {
    return span_idle_seconds / (makespan_seconds - idle_seconds + span_idle_seconds);
}};

} // namespace meshwright::formula
