// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <algorithm>

/// Bytes per rank in addition to the model states, at the point of peak memory.
namespace meshwright::formula {

/// Bytes of a tensor that an operation saves for backward. Source: Korthikanti et al., arXiv 2205.05198, section 4.
inline FormulaFunction saved_tensor_bytes{
    [](auto rows, auto width, auto element_bytes) { return rows * width * element_bytes; }};
/// Bytes per element for operations other than low-precision GEMMs: at least 16 bits.
inline FormulaFunction wide_element_bytes{[](auto format_bytes) { return max(2 * byte, format_bytes); }};
/// Bytes per element of a GEMM's saved input. Block scales are not counted, and formats narrower than 8 bits are saved
/// in 8 bits.
inline FormulaFunction saved_input_bytes{
    [](auto format_bytes) { return when(format_bytes < 2 * byte, 1 * byte, format_bytes); }};
/// Bytes per weight when it is sent or copied: at most 16 bits, because the receiver computes with at most 16 bits.
inline FormulaFunction sent_weight_bytes{[](auto format_bytes) { return min(2 * byte, format_bytes); }};
/// Bytes of a gathered weight. With low-precision compute the 16-bit copy is gathered and quantized afterwards.
inline FormulaFunction gathered_weight_bytes{[](auto compute_bytes, auto format_bytes) {
    return when(compute_bytes < 2 * byte, 2 * byte, sent_weight_bytes(format_bytes));
}};
/// Bytes of statistics that attention saves. Fused attention saves the softmax statistics in FP32. Unfused attention
/// saves softmax, dropout mask and dropout output of every score: five bytes.
inline FormulaFunction attention_statistics_bytes{
    [](auto query_tokens, auto heads) { return 4 * byte * query_tokens * heads; }};
inline FormulaFunction attention_scores_bytes{
    [](auto query_tokens, auto key_tokens, auto heads) { return 5 * byte * query_tokens * key_tokens * heads; }};
/// Bytes of activations of the microbatches in flight.
/// @param parts chunks or slices per microbatch
/// @param slack allocated bytes divided by the bytes of the tensors that operations save
/// @param on_device fraction that is not offloaded
inline FormulaFunction in_flight_activation_bytes{
    [](auto saved_bytes, auto parts, auto in_flight, auto slack, auto on_device) {
        return saved_bytes / parts * in_flight * slack * on_device;
    }};
/// Bytes of gradients and recomputed activations during one operation's backward pass.
inline FormulaFunction working_set_bytes{
    [](auto operation_bytes, auto parts, auto slack) { return operation_bytes / parts * slack; }};

inline FormulaFunction logits_of_rank{
    [](auto tokens, auto vocabulary, auto tensor) { return tokens * vocabulary / tensor; }};
/// Bytes of logits at the loss. @param prediction_modules number of MTP modules whose logits exist at the same time, in
/// 16 bits
inline FormulaFunction loss_logits_bytes{[](auto logits, auto parts, auto bytes_per_logit, auto prediction_modules) {
    return logits / parts * (bytes_per_logit + 2 * byte * prediction_modules);
}};
/// Bytes per logit at the loss.
/// @param loss bytes per logit with 16-bit activations; logits and their gradients use the activation format
/// @param parallel additional bytes when tensor-parallel ranks split the vocabulary
inline FormulaFunction one_logit_bytes{[](auto loss, auto parallel, auto activation_bytes) {
    return loss + parallel + 2 * (activation_bytes - 2 * byte);
}};
/// Bytes of logits of microbatches whose backward pass has not begun. Their 16-bit gradients are not counted, and a
/// logit takes at most the size of the FP32 softmax or of the softmax's input, whichever is larger. If every forward
/// pass runs before the first backward pass, these are all microbatches but one.
inline FormulaFunction waiting_logits_bytes{
    [](auto logits, auto parts, auto bytes_per_logit, auto activation_bytes, auto microbatches) {
        return logits / parts * min(max(bytes_per_logit - 2 * byte, 2 * byte), max(4 * byte, activation_bytes))
            * (microbatches - 1);
    }};

/// Bytes of gathered weights of two layers: the current one and the prefetched next one. Fragmentation included, their
/// size is capped at the memory that sharding saves; otherwise sharding would have no benefit.
/// @param weights_bytes weights stored on the rank
inline FormulaFunction gathered_weights_bytes{
    [](auto layer_parameters, auto weight_bytes, auto parameters, auto weights_bytes, auto reserve) {
        return min(2 * layer_parameters * weight_bytes,
                   max(0.0, parameters * weight_bytes - weights_bytes) / (1 + reserve));
    }};
/// Bytes of one layer's gradients before their reduction, or of one chunk if they are reduced chunk by chunk. @param
/// gradients_bytes gradients stored on the rank
inline FormulaFunction unreduced_gradients_bytes{
    [](auto unreduced, auto gradient_bytes, auto parameters, auto gradients_bytes, auto reserve) {
        return min(unreduced * gradient_bytes, max(0.0, parameters * gradient_bytes - gradients_bytes) / (1 + reserve));
    }};
/// Bytes of the LM head's gradient in the weight format, before it is added to accumulators in another format.
inline FormulaFunction head_gradient_bytes{[](auto vocabulary, auto hidden, auto tensor, auto made_bytes) {
    return vocabulary * hidden / tensor * made_bytes;
}};
/// Bytes of receive buffers for neighboring stages.
inline FormulaFunction received_bytes{
    [](auto hidden_bytes, auto sequence_ways) { return 2 * hidden_bytes / sequence_ways; }};
/// Bytes of temporaries in an unfused optimizer step: as many as one moment takes. @param moments number of moments
inline FormulaFunction update_temporaries_bytes{
    [](auto moments_bytes, auto moments) { return moments_bytes / moments; }};
/// Bytes of a bucket for gathering updated weights.
inline FormulaFunction bucket_bytes{[](auto parameters, auto bucket_elements, auto gradient_bytes) {
    return min(parameters, bucket_elements) * gradient_bytes;
}};

/// Bytes of outer state per rank: parameters and momentum in FP32, error feedback, and one fragment in transfer.
inline FormulaFunction outer_share_of_rank{[](auto parameters, auto data) { return parameters / max(1.0, data); }};
inline FormulaFunction outer_state_bytes{
    [](auto parameters, auto error_feedback) { return parameters * (8 * byte + 4 * byte * error_feedback); }};
inline FormulaFunction outer_fragment_bytes{
    [](auto parameters, auto fragments) { return 4 * byte * parameters / fragments; }};

/// Number of communicators: each parallel dimension with more than one member has one. If there are several such
/// dimensions, the group of all ranks has one too.
inline FormulaFunction communicator_count{
    [](auto dimensions) { return dimensions + min(1.0, max(0.0, dimensions - 1)); }};
/// Memory outside the allocator as reported by the driver: the context and the communicators' buffers. An all-to-all
/// opens additional buffers to each peer in the node.
inline FormulaFunction outside_allocator{
    [](auto context_bytes, auto communicators, auto communicator_bytes, auto peers, auto peer_bytes) {
        return context_bytes + communicators * communicator_bytes + peers * peer_bytes;
    }};
/// Memory outside the allocator, library workspace, and fragmentation of the memory that is allocated and freed within
/// a step.
inline FormulaFunction runtime_bytes{[](auto outside_bytes, auto workspace_bytes, auto reserve, auto transient_bytes) {
    return outside_bytes + workspace_bytes + reserve * transient_bytes;
}};

inline FormulaFunction free_bytes{[](auto capacity_bytes, auto peak_bytes) { return capacity_bytes - peak_bytes; }};

} // namespace meshwright::formula
