// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/mixer_core.h"

#include "formulas/kernels.h"
#include "formulas/preset_property.h"
#include "formulas/rank_memory.h"
#include "layers/operation_parts.h"

namespace meshwright {

namespace {

/// Builds the operation that mixes information between tokens: the attention core or the recurrence.
template <Number N>
class MixerCore {
public:
    MixerCore(const BasicRankShape<N> &shape, const BasicDevice<N> &device, const Stack &stack)
        : m_shape(shape)
        , m_device(device)
        , m_stack(stack) { }

    using Operation = BasicLayerOperation<N>;

    Operation operator()(const Attention &attention) const { return softmax_core(attention); }
    Operation operator()(const LatentAttention &attention) const { return latent_core(attention); }
    Operation operator()(const RecurrentMixer &mixer) const { return recurrent_core(mixer); }
    Operation operator()(const Nothing & /*mixer*/) const { return {}; }

private:
    N heads_on_rank(std::string_view name, std::string_view title, std::int64_t heads) const {
        return label(model_property<N>("model_heads", title, heads) / m_shape.tensor,
                     {name, "heads per rank", Quantity::number});
    }

    Operation softmax_core(const Attention &attention) const {
        using formula::min;
        const N heads = heads_on_rank("heads", "attention heads", attention.heads);
        const N all_kv_heads = model_property<N>("model_kv_heads", "key and value heads", attention.kv_heads);
        const N kv_heads = label(all_kv_heads / min(m_shape.tensor, all_kv_heads),
                                 {"kv_heads", "key and value heads per rank", Quantity::number});
        const N key_dim = model_property<N>("key_dim", "head dimension of queries and keys", attention.head_dim);
        const N value_dim =
            model_property<N>("value_dim", "head dimension of values",
                              attention.value_head_dim > 0 ? attention.value_head_dim : attention.head_dim);
        const N window = attention.window > 0
            ? label(min(m_shape.sequence, model_property<N>("window", "sliding window", attention.window)),
                    {"key_tokens", "keys: number of tokens in the sequence or attention window", Quantity::count})
            : m_shape.sequence;
        // without fused kernels, keys and values are saved once per query head
        const N saved_kv_heads = m_stack.fuses_elementwise ? kv_heads : heads;
        const Operation core = attention_core(
            {.query_tokens = m_shape.tokens,
             .key_tokens = window,
             .attended_fraction = label(
                 1 - window / (2 * m_shape.sequence),
                 {"attended_fraction", "fraction of keys attended per query", Quantity::share, "the causal mask"}),
             .heads = heads,
             .query_key_dim = key_dim,
             .value_dim = value_dim},
            m_shape.tokens * (heads * key_dim + saved_kv_heads * (key_dim + value_dim) + heads * value_dim));
        return rotated(core, m_shape.tokens * key_dim * (heads + kv_heads) * m_shape.activation_bytes);
    }

    /// Adds RoPE of queries and keys before the attention core.
    Operation rotated(Operation core, const N &bytes) const {
        core.moved = passes_over(label(bytes, {"rotated", "queries and keys rotated by RoPE", Quantity::bytes}),
                                 2 * m_stack.norm_traffic_factor, 2 * m_stack.norm_traffic_factor);
        const BasicKernelSeconds<N> rotating = seconds_of(core.moved, m_device);
        const auto add = [](N &seconds, const N &more) {
            seconds += label(more, {"rotary", "time to rotate queries and keys", Quantity::seconds});
        };
        add(core.seconds.forward, rotating.forward);
        add(core.seconds.input_gradient, rotating.input_gradient);
        return core;
    }

    Operation latent_core(const LatentAttention &attention) const {
        const N heads = heads_on_rank("heads", "attention heads", attention.heads);
        const N key_dim = model_property<N>("key_dim", "head dimension of queries and keys",
                                            attention.nope_head_dim + attention.rope_head_dim);
        const N value_dim = model_property<N>("value_dim", "head dimension of values", attention.value_head_dim);
        const Operation core = attention_core(
            {.query_tokens = m_shape.tokens,
             .key_tokens = m_shape.sequence,
             .attended_fraction = read<N>(0.5,
                                          {Origin::model, "attended_fraction", "fraction of keys attended per query",
                                           Quantity::share, "/model", "the causal mask"}),
             .heads = heads,
             .query_key_dim = key_dim,
             .value_dim = value_dim},
            m_shape.tokens * heads * (2 * key_dim + 2 * value_dim));
        return rotated(core, m_shape.tokens * heads * key_dim * 2 * m_shape.activation_bytes);
    }

    /// Queries, keys, values and output are saved. Without a fused kernel, five bytes per score are saved too: softmax
    /// output, dropout mask and dropout output.
    Operation attention_core(const BasicAttentionShape<N> &shape, const N &saved_elements) const {
        const N inner = m_device.attention_is_fused()
            ? formula::attention_statistics_bytes(shape.query_tokens, shape.heads)
            : formula::attention_scores_bytes(shape.query_tokens, shape.key_tokens, shape.heads);
        const N vectors = label(saved_elements * m_shape.activation_bytes,
                                {"vectors", "queries, keys, values and outputs", Quantity::bytes});
        return {.name = "attention.core",
                .module = Module::core_attention,
                .seconds = in_slices(m_device.attention(shape)),
                .attention = shape,
                .saved_bytes =
                    saved(vectors + inner, "attention.core",
                          "queries, keys, values and outputs of attention, and the softmax's tensors for backward"),
                .freed_bytes = inner,
                .output_bytes = label(shape.query_tokens * shape.heads * shape.value_dim * m_shape.activation_bytes,
                                      {"output_bytes", "output of the operation", Quantity::bytes})};
    }

    /// Times of attention to all slices of a sequence with ring attention.
    BasicKernelSeconds<N> in_slices(const BasicKernelSeconds<N> &at_once) const {
        if (value_of(m_shape.context) <= 1)
            return at_once;
        const N share = formula::sliced_attention_share(
            m_shape.context,
            stack_property<N>(m_stack, "ring_attention_factor", "factor",
                              "time per slice of another rank's keys, relative to a slice of the rank's own keys",
                              m_stack.ring_attention_factor));
        const auto sliced = [&share](const N &seconds) {
            return label(seconds * label(share, {"ring", "attention time relative to one kernel over all keys"}),
                         {"attention", "time of attention scores and values", Quantity::seconds, "ring attention"});
        };
        return {.forward = sliced(at_once.forward), .input_gradient = sliced(at_once.input_gradient)};
    }

    Operation recurrent_core(const RecurrentMixer &mixer) const {
        const N heads = heads_on_rank("heads", "value heads", mixer.value_heads);
        const N widths = model_property<N>("widths", "elements per token of the input and output projections",
                                           mixer.input_projection + mixer.output_projection);
        const N projected = label(m_shape.tokens * widths / m_shape.tensor * m_shape.activation_bytes,
                                  {"projected", "projected inputs and outputs of the mixer", Quantity::bytes});
        const BasicRecurrentShape<N> state{
            .tokens = m_shape.tokens,
            .heads = heads,
            .key_width = model_property<N>("key_width", "key head dimension", mixer.key_head_dim),
            .value_width = model_property<N>("value_width", "value head dimension", mixer.value_head_dim)};
        return {.name = "recurrent.core",
                .module = Module::core_attention,
                .seconds = m_device.recurrent(state, 2 * projected, 3 * projected),
                .attention = {.heads = 0},
                .saved_bytes = saved(projected, "recurrent.core",
                                     "projected inputs and outputs, saved for the recurrence's gradient"),
                .output_bytes = projected / 2};
    }

    const BasicRankShape<N> &m_shape;
    const BasicDevice<N> &m_device;
    const Stack &m_stack;
};

} // namespace

template <Number N>
BasicLayerOperation<N> core_operation(const Mixer &mixer, const BasicRankShape<N> &shape, const BasicDevice<N> &device,
                                      const Stack &stack) {
    return std::visit(MixerCore<N>(shape, device, stack), mixer);
}
template LayerOperation core_operation(const Mixer &, const RankShape &, const Device &, const Stack &);
template TracedOperation core_operation(const Mixer &, const BasicRankShape<Traced> &, const BasicDevice<Traced> &,
                                        const Stack &);

} // namespace meshwright
