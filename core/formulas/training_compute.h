// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <cmath>

/// Training FLOPs and the utilization of accelerators. Rates are dense peaks in FLOP/s.
namespace meshwright::formula {

inline constexpr double seconds_per_day = 86400;

/// Training FLOPs: six per parameter and token, of which two are forward and four backward. Source: Kaplan et al.,
/// arXiv 2001.08361, section 2.1.
inline FormulaFunction training_flops{
    [](auto parameters, auto tokens, auto flops_per_parameter) { return flops_per_parameter * parameters * tokens; }};
inline FormulaFunction petaflop_days{[](auto parameters, auto tokens, auto flops_per_parameter) {
    return training_flops(parameters, tokens, flops_per_parameter) / (1e15 * seconds_per_day);
}};

/// Time for a number of FLOPs, and the MFU or number of accelerators that a given time requires.
inline FormulaFunction seconds_of_flops{
    [](auto flops, auto accelerators, auto peak, auto mfu) { return flops / (accelerators * peak * mfu); }};
inline FormulaFunction training_days{[](auto flops, auto accelerators, auto peak, auto mfu) {
    return seconds_of_flops(flops, accelerators, peak, mfu) / seconds_per_day;
}};
inline FormulaFunction utilisation{
    [](auto flops, auto accelerators, auto peak, auto seconds) { return flops / (accelerators * peak * seconds); }};
inline FormulaFunction utilisation_of_days{[](auto flops, auto accelerators, auto peak, auto days) {
    return utilisation(flops, accelerators, peak, days * seconds_per_day);
}};
inline FormulaFunction accelerators_for_days{
    [](auto flops, auto peak, auto mfu, auto days) { return flops / (peak * mfu * days * seconds_per_day); }};
inline FormulaFunction nodes_for_deadline{[](auto flops, auto accelerators_per_node, auto peak, auto mfu, auto days) {
    return accelerators_for_days(flops, peak, mfu, days) / accelerators_per_node;
}};
inline FormulaFunction seconds_of_step{
    [](auto parameters, auto tokens, auto accelerators, auto peak, auto mfu, auto flops_per_parameter) {
        return seconds_of_flops(training_flops(parameters, tokens, flops_per_parameter), accelerators, peak, mfu);
    }};
inline FormulaFunction step_mfu{
    [](auto parameters, auto tokens, auto accelerators, auto peak, auto seconds, auto flops_per_parameter) {
        return utilisation(training_flops(parameters, tokens, flops_per_parameter), accelerators, peak, seconds);
    }};
inline FormulaFunction tokens_per_second{[](auto batch_tokens, auto seconds) { return batch_tokens / seconds; }};

/// FLOPs of the attention core per token, forward and backward: 12 x layers x width x sequence, or half of it with a
/// causal mask. Source: PaLM, arXiv 2204.02311, appendix B.
inline FormulaFunction attention_flops_per_token{[](auto layers, auto width, auto sequence, auto causal) {
    return 12 * flop * layers * width * sequence * (1 - causal / 2);
}};
/// Training FLOPs per token, forward and backward. Source: PaLM, arXiv 2204.02311, appendix B.
inline FormulaFunction flops_per_token{
    [](auto parameters, auto layers, auto width, auto sequence, auto causal, auto flops_per_parameter) {
        return flops_per_parameter * parameters + attention_flops_per_token(layers, width, sequence, causal);
    }};

/// Mean number of keys per query under a causal mask, limited to a window.
inline FormulaFunction causal_keys{[](auto sequence, auto window) {
    const auto span = min(sequence, window);
    return span - span * span / (2 * sequence);
}};

/// FLOPs per step of a GPT with full recomputation. Source: Narayanan et al., arXiv 2104.04473, equation 3.
inline FormulaFunction megatron_step_flops{[](auto batch, auto sequence, auto layers, auto hidden, auto vocabulary) {
    return 96 * flop * batch * sequence * layers * hidden * hidden
        * (1 + sequence / (6 * hidden) + vocabulary / (16 * layers * hidden));
}};

/// FLOPs divided by the FLOPs that are possible at peak rate: MFU for the model's FLOPs, HFU with recomputation.
/// Source: PaLM, arXiv 2204.02311, section 4.1.
inline FormulaFunction hardware_utilisation{
    [](auto flops, auto recomputed_flops, auto seconds, auto accelerators, auto peak) {
        return (flops + recomputed_flops) / (accelerators * peak * seconds);
    }};

/// Parameters of a GPT-2 model: embeddings, layers with biases, and a final norm; the LM head shares the embedding.
/// Source: Radford et al. 2019; counted from the definition.
inline FormulaFunction transformer_parameters{[](auto hidden, auto vocabulary, auto positions, auto layers) {
    return hidden * (vocabulary + positions) + layers * (12 * hidden * hidden + 13 * hidden) + 2 * hidden;
}};
/// Parameters of a Llama layer: grouped-query attention, three feed-forward matrices, two norms.
inline FormulaFunction llama_layer_parameters{
    [](auto hidden, auto query_heads, auto kv_heads, auto head_dim, auto feed_forward) {
        return hidden * head_dim * (2 * query_heads + 2 * kv_heads) + 3 * hidden * feed_forward + 2 * hidden;
    }};
inline FormulaFunction llama_parameters{[](auto hidden, auto query_heads, auto kv_heads, auto head_dim,
                                           auto feed_forward, auto layers, auto vocabulary, auto tied) {
    return layers * llama_layer_parameters(hidden, query_heads, kv_heads, head_dim, feed_forward)
        + (2 - tied) * vocabulary * hidden + hidden;
}};

/// Arithmetic intensity of a kernel in FLOPs per byte, and its attainable rate by the roofline model. Source: Williams,
/// Waterman, Patterson 2009.
inline FormulaFunction intensity{[](auto flops, auto bytes) { return flops / bytes; }};
inline FormulaFunction roofline_rate{[](auto flops, auto bytes, auto peak, auto memory_bandwidth) {
    return min(peak, intensity(flops, bytes) * memory_bandwidth);
}};
inline FormulaFunction quotient{[](auto amount, auto reference) { return amount / reference; }};

/// Number of data-parallel replicas of a configuration, and the number of unused accelerators.
inline FormulaFunction data_parallel_degree{[](auto accelerators, auto tensor, auto pipeline, auto context) {
    return accelerators / (tensor * pipeline * context);
}};
inline FormulaFunction left_over_accelerators{[](auto accelerators, auto tensor, auto pipeline, auto context) {
    return accelerators
        - floor(data_parallel_degree(accelerators, tensor, pipeline, context)) * tensor * pipeline * context;
}};

} // namespace meshwright::formula
