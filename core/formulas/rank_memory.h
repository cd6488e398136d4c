// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <algorithm>

/// Bytes on one rank beside the model states, where its memory stands highest.
namespace meshwright::formula {

/// A tensor that an operation keeps for the backward pass. Source: Korthikanti and others, arXiv 2205.05198, section 4.
inline FormulaFunction kept_tensor_bytes{
    [](double rows, double width, double element_bytes) { return rows * width * element_bytes; }};
/// Sums of the softmax in FP32, which fused attention keeps; softmax, dropout mask and dropout output of every score,
/// five bytes, without.
inline FormulaFunction attention_statistics_bytes{
    [](double query_tokens, double heads) { return 4 * query_tokens * heads; }};
inline FormulaFunction attention_scores_bytes{
    [](double query_tokens, double key_tokens, double heads) { return 5 * query_tokens * key_tokens * heads; }};
/// Activations of the microbatches in flight. @param parts  chunks or slices that a microbatch comes in
/// @param slack  what is allocated against the sum over operations  @param on_device  share that is not offloaded
inline FormulaFunction held_activation_bytes{
    [](double saved_bytes, double parts, double in_flight, double slack, double on_device) {
        return saved_bytes / parts * in_flight * slack * on_device;
    }};
/// Gradients and recomputed activations while one operation runs backward.
inline FormulaFunction working_set_bytes{
    [](double operation_bytes, double parts, double slack) { return operation_bytes / parts * slack; }};

inline FormulaFunction logits_of_rank{
    [](double tokens, double vocabulary, double tensor) { return tokens * vocabulary / tensor; }};
/// Logits at the loss. @param prediction_modules  whose logits stand beside, in 16 bits
inline FormulaFunction loss_logits_bytes{
    [](double logits, double parts, double bytes_per_logit, double prediction_modules) {
        return logits / parts * (bytes_per_logit + 2 * prediction_modules);
    }};
/// Kept for each logit at the loss. @param kept  with 16-bit activations: logits and their gradient have their format
/// @param parallel  besides, where tensor-parallel ranks each have a part of the vocabulary
inline FormulaFunction one_logit_bytes{
    [](double kept, double parallel, double activation_bytes) { return kept + parallel + 2 * (activation_bytes - 2); }};
/// Logits of microbatches whose backward pass has not begun: all but their 16-bit gradient, and no more than the
/// softmax or what it is made of. Of all microbatches but one where every forward pass comes before the first backward
/// pass.
inline FormulaFunction waiting_logits_bytes{
    [](double logits, double parts, double bytes_per_logit, double activation_bytes, double microbatches) {
        return logits / parts * std::min(std::max(bytes_per_logit - 2, 2.0), std::max(4.0, activation_bytes))
            * (microbatches - 1);
    }};

/// Weights gathered for two layers, the one that runs and the next: with their fragmentation never more than sharding
/// saves, as a framework would not shard then. @param weights_bytes  what the rank keeps of them
inline FormulaFunction gathered_weights_bytes{
    [](double layer_parameters, double weight_bytes, double parameters, double weights_bytes, double reserve) {
        return std::min(2 * layer_parameters * weight_bytes,
                        std::max(0.0, parameters * weight_bytes - weights_bytes) / (1 + reserve));
    }};
/// Gradients of one layer (of one chunk where they are reduced round by round) before they are reduced. @param
/// gradients_bytes  what the rank keeps of them
inline FormulaFunction unreduced_gradients_bytes{
    [](double unreduced, double gradient_bytes, double parameters, double gradients_bytes, double reserve) {
        return std::min(unreduced * gradient_bytes,
                        std::max(0.0, parameters * gradient_bytes - gradients_bytes) / (1 + reserve));
    }};
/// The LM head's gradient in the weights' format, before it is added to accumulators in another.
inline FormulaFunction head_gradient_bytes{[](double vocabulary, double hidden, double tensor, double made_bytes) {
    return vocabulary * hidden / tensor * made_bytes;
}};
/// Receive buffers of neighbouring stages.
inline FormulaFunction received_bytes{
    [](double hidden_bytes, double sequence_ways) { return 2 * hidden_bytes / sequence_ways; }};
/// One bucket in which updated weights are gathered.
inline FormulaFunction bucket_bytes{[](double parameters, double bucket_elements, double gradient_bytes) {
    return std::min(parameters, bucket_elements) * gradient_bytes;
}};

/// What a rank keeps of the outer loop: parameters and momentum in FP32, error feedback; one fragment on its way.
inline FormulaFunction outer_share_of_rank{
    [](double parameters, double data) { return parameters / std::max(1.0, data); }};
inline FormulaFunction outer_state_bytes{
    [](double parameters, double error_feedback) { return parameters * (8 + 4 * error_feedback); }};
inline FormulaFunction outer_fragment_bytes{
    [](double parameters, double fragments) { return 4 * parameters / fragments; }};

/// Each dimension of parallelism with more than one member has a communicator of its own; where there are several
/// dimensions, so has the group of all ranks.
inline FormulaFunction communicator_count{
    [](double dimensions) { return dimensions + std::min(1.0, std::max(0.0, dimensions - 1)); }};
/// What the driver shows beside the allocator's memory: its context, and communicators' buffers, of which an all-to-all
/// opens more to each peer in the node.
inline FormulaFunction outside_allocator{
    [](double context_bytes, double communicators, double communicator_bytes, double peers, double peer_bytes) {
        return context_bytes + communicators * communicator_bytes + peers * peer_bytes;
    }};
/// What is outside the allocator, libraries' workspace, and what fragmentation costs of what comes and goes in a step.
inline FormulaFunction runtime_bytes{
    [](double outside_bytes, double workspace_bytes, double reserve, double transient_bytes) {
        return outside_bytes + workspace_bytes + reserve * transient_bytes;
    }};

inline FormulaFunction free_bytes{[](double capacity_bytes, double peak_bytes) { return capacity_bytes - peak_bytes; }};

} // namespace meshwright::formula
