// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"
#include "formulas/tensor_parallel.h"

/// Bytes that one rank sends per step in each dimension of parallelism, and the tier that carries them. All layers have
/// the same shape. Tensor-parallel ranks are placed innermost, followed by context, expert, pipeline and data.
namespace meshwright::formula {

/// Tensor parallelism needs two all-reduces per layer in each pass. Source: Megatron-LM, arXiv 1909.08053, section 3.
inline FormulaFunction tensor_step_bytes{[](auto layers, auto hidden, auto sequence, auto micro_batch,
                                            auto microbatches, auto tensor, auto context, auto pipeline,
                                            auto element_bytes) {
    return microbatches * layers / pipeline
        * tensor_layer_bytes(micro_batch, sequence / context, hidden, tensor, element_bytes);
}};
/// Keys and values circulate around the ring in the forward pass, and once more with their gradients in the backward
/// pass. Source: Ring Attention, arXiv 2310.01889, section 3.
inline FormulaFunction context_step_bytes{[](auto layers, auto kv_width, auto sequence, auto micro_batch,
                                             auto microbatches, auto tensor, auto context, auto pipeline,
                                             auto element_bytes) {
    return 3 * microbatches * layers / pipeline
        * ring_attention_bytes(micro_batch, sequence, kv_width / tensor, context, element_bytes);
}};
/// Expert parallelism dispatches and combines tokens in both passes; each tensor-parallel rank sends its part of the
/// tokens. Source: GShard, arXiv 2006.16668, section 3.
inline FormulaFunction expert_step_bytes{[](auto layers, auto hidden, auto sequence, auto micro_batch,
                                            auto microbatches, auto tensor, auto context, auto pipeline, auto expert,
                                            auto experts_per_token, auto element_bytes) {
    return 2 * microbatches * layers / pipeline
        * expert_traffic_bytes(micro_batch * sequence / (context * tensor), hidden, experts_per_token, expert,
                               element_bytes);
}};
/// A stage between two others sends activations forward and gradients backward; each tensor-parallel rank sends its
/// part. Source: Narayanan et al., arXiv 2104.04473, section 4.1.
inline FormulaFunction pipeline_step_bytes{[](auto hidden, auto sequence, auto micro_batch, auto microbatches,
                                              auto tensor, auto context, auto pipeline, auto chunks,
                                              auto element_bytes) {
    return when(pipeline > 1,
                2 * microbatches * chunks * hidden_state_bytes(micro_batch, sequence / context, hidden, element_bytes)
                    / tensor,
                0);
}};
/// Bytes per step of data parallelism: one all-reduce of a rank's gradients over its data- and context-parallel ranks.
inline FormulaFunction data_step_bytes{
    [](auto parameters, auto tensor, auto context, auto pipeline, auto data, auto gradient_bytes) {
        return ring_all_reduce_bytes(context * data, parameters / (tensor * pipeline) * gradient_bytes);
    }};

/// Bandwidth of the innermost tier whose domains contain a whole group. @param span number of ranks from the first to
/// the last member of the group
inline FormulaFunction span_bandwidth{
    [](auto span, auto accelerators_per_node, auto node_bandwidth, auto network_bandwidth) {
        return when(span <= accelerators_per_node, node_bandwidth, network_bandwidth);
    }};
inline FormulaFunction tensor_step_seconds{
    [](auto layers, auto hidden, auto sequence, auto micro_batch, auto microbatches, auto tensor, auto context,
       auto pipeline, auto element_bytes, auto accelerators_per_node, auto node_bandwidth, auto network_bandwidth) {
        return tensor_step_bytes(layers, hidden, sequence, micro_batch, microbatches, tensor, context, pipeline,
                                 element_bytes)
            / span_bandwidth(tensor, accelerators_per_node, node_bandwidth, network_bandwidth);
    }};
inline FormulaFunction context_step_seconds{
    [](auto layers, auto kv_width, auto sequence, auto micro_batch, auto microbatches, auto tensor, auto context,
       auto pipeline, auto element_bytes, auto accelerators_per_node, auto node_bandwidth, auto network_bandwidth) {
        return context_step_bytes(layers, kv_width, sequence, micro_batch, microbatches, tensor, context, pipeline,
                                  element_bytes)
            / span_bandwidth(tensor * context, accelerators_per_node, node_bandwidth, network_bandwidth);
    }};
inline FormulaFunction expert_step_seconds{[](auto layers, auto hidden, auto sequence, auto micro_batch,
                                              auto microbatches, auto tensor, auto context, auto pipeline, auto expert,
                                              auto experts_per_token, auto element_bytes, auto accelerators_per_node,
                                              auto node_bandwidth, auto network_bandwidth) {
    return expert_step_bytes(layers, hidden, sequence, micro_batch, microbatches, tensor, context, pipeline, expert,
                             experts_per_token, element_bytes)
        / span_bandwidth(tensor * context * expert, accelerators_per_node, node_bandwidth, network_bandwidth);
}};
inline FormulaFunction pipeline_step_seconds{[](auto hidden, auto sequence, auto micro_batch, auto microbatches,
                                                auto tensor, auto context, auto expert, auto pipeline, auto chunks,
                                                auto element_bytes, auto accelerators_per_node, auto node_bandwidth,
                                                auto network_bandwidth) {
    return pipeline_step_bytes(hidden, sequence, micro_batch, microbatches, tensor, context, pipeline, chunks,
                               element_bytes)
        / span_bandwidth(tensor * context * expert * pipeline, accelerators_per_node, node_bandwidth,
                         network_bandwidth);
}};
inline FormulaFunction data_step_seconds{[](auto parameters, auto tensor, auto context, auto pipeline, auto data,
                                            auto gradient_bytes, auto accelerators_per_node, auto node_bandwidth,
                                            auto network_bandwidth) {
    return data_step_bytes(parameters, tensor, context, pipeline, data, gradient_bytes)
        / span_bandwidth(tensor * context * pipeline * data, accelerators_per_node, node_bandwidth, network_bandwidth);
}};

} // namespace meshwright::formula
