// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/operations.h"

#include "formulas/kernels.h"
#include "formulas/rank_memory.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshwright {

namespace {

std::string_view activation_name(WeightKind kind) {
    return kind == WeightKind::routed_expert ? "expert.activation"
        : kind == WeightKind::shared_expert  ? "shared_expert.activation"
                                             : "feed_forward.activation";
}

KernelSeconds seconds_of(const TensorPasses &moved, const Device &device) {
    return device.traffic(moved.forward * moved.bytes, moved.backward * moved.bytes);
}

/// Builds the operations of one layer. Bytes of element-wise operations are those of fused 16-bit kernels: a norm reads
/// and writes once forward; backward it reads twice, writes once and adds once. A residual addition moves three
/// tensors.
class LayerBuilder {
public:
    LayerBuilder(const Model &model, const RankShape &shape, const Device &device, const Plan &plan)
        : m_model(model)
        , m_shape(shape)
        , m_device(device)
        , m_hidden_bytes(hidden_state_bytes(shape, model))
        , m_stack(plan.stack) { }

    std::vector<LayerOperation> build(const Block &block, const std::vector<Weight> &weights) {
        m_operations.reserve(2 * weights.size() + 4);
        const bool has_mixer = !std::holds_alternative<Nothing>(block.mixer);
        const bool has_transform = !std::holds_alternative<Nothing>(block.transform);
        if (has_mixer) {
            norm("norm.input");
            mixer(block, weights);
            residual("attention.residual");
        }
        if (has_transform) {
            if (!block.parallel || !has_mixer)
                norm("norm.transform_input");
            transform(block, weights);
            if (!block.parallel || !has_mixer)
                residual("transform.residual");
        }
        for (std::int64_t extra = 2; extra < block.norms; ++extra)
            norm("norm.output", 0);
        return std::move(m_operations);
    }

private:
    void add(const LayerOperation &operation) { m_operations.push_back(operation); }

    /// A norm whose output is saved by the next GEMM.
    void norm(const char *name) { norm(name, kept_input(gathered_tokens(), static_cast<double>(m_model.hidden))); }

    void norm(const char *name, double freed) {
        const double bytes = m_hidden_bytes / m_shape.sequence_ways;
        const TensorPasses moved{bytes, 2 * m_stack.norm_traffic_factor, 4 * m_stack.norm_traffic_factor};
        add({.name = name,
             .module = Module::norm,
             .seconds = seconds_of(moved, m_device),
             .moved = moved,
             .saved_bytes = bytes + (m_stack.fuses_elementwise ? 0 : bytes), // before scaling
             .freed_bytes = freed,
             .output_bytes = bytes});
    }

    void residual(const char *name) {
        const double bytes = m_hidden_bytes / m_shape.sequence_ways;
        const double elements = bytes / m_shape.activation_bytes;
        add({.name = name,
             .module = Module::residual,
             .seconds = seconds_of({bytes, 3, 3}, m_device),
             .moved = {bytes, 3, 3},
             .saved_bytes = m_stack.dropout ? elements : 0, // a dropout mask of one byte per element
             .output_bytes = bytes});
    }

    double kept_activation_bytes() const {
        return m_stack.keeps_activations_in_compute_format ? m_device.input_bytes() : m_shape.activation_bytes;
    }

    /// Saved rows of a layer's input at the entry to attention or the feed-forward part.
    double gathered_tokens() const {
        return m_stack.keeps_gathered_inputs ? m_shape.tokens : m_shape.tokens / m_shape.sequence_ways;
    }

    /// Bytes of a GEMM input of `width` elements per row, saved for the weight gradient.
    double kept_input(double rows, double width) const {
        return formula::kept_tensor_bytes(rows, width, m_device.input_bytes());
    }

    void multiply(const Weight &weight, Module module, double rows, double ways, double groups, double saved,
                  MatrixUnits units) {
        const double n = outputs_per_rank(weight, ways);
        const double k = inputs_per_rank(weight, ways);
        add({.name = weight.name,
             .module = module,
             .seconds = m_device.matrix(rows, n, k, units, groups),
             .multiply = {.rows = rows, .columns = n, .depth = k, .groups = groups, .units = units},
             .saved_bytes = saved,
             .output_bytes = rows * n * m_shape.activation_bytes});
    }

    void mixer(const Block &block, const std::vector<Weight> &weights) {
        bool hidden_kept = false;
        bool core_done = false;
        for (const Weight &weight : weights) {
            if (weight.kind != WeightKind::mixer || weight.inputs == 0)
                continue;
            const bool closes = closes_mixer(weight);
            if (closes && !core_done) {
                core(block.mixer);
                core_done = true;
            }
            const double rows =
                weight.split == Split::replicated ? m_shape.tokens / m_shape.sequence_ways : m_shape.tokens;
            double saved = 0;
            if (closes)
                // A 16-bit GEMM reads the attention output that the core saves; low precision saves its own copy.
                saved = m_device.input_bytes() < m_shape.activation_bytes || !m_stack.fuses_elementwise
                    ? kept_input(rows, inputs_per_rank(weight, m_shape.tensor))
                    : 0;
            else if (weight.inputs != m_model.hidden)
                saved = kept_input(m_shape.tokens / m_shape.sequence_ways, static_cast<double>(weight.inputs))
                    + formula::kept_tensor_bytes(m_shape.tokens / m_shape.sequence_ways,
                                                 static_cast<double>(weight.inputs),
                                                 m_shape.activation_bytes); // the compressed vector and its norm
            else if (!std::exchange(hidden_kept, true))
                saved = kept_input(gathered_tokens(), static_cast<double>(m_model.hidden));
            const bool latent = std::holds_alternative<LatentAttention>(block.mixer) && weight.name.ends_with("_up");
            multiply(weight, latent ? Module::latent_up : Module::projection, rows, m_shape.tensor, 1, saved,
                     MatrixUnits::compute);
            m_operations.back().feeds_core = !core_done;
        }
        if (!core_done)
            core(block.mixer);
    }

    void core(const Mixer &mixer) {
        if (const auto *attention = std::get_if<Attention>(&mixer))
            softmax_core(*attention);
        else if (const auto *latent = std::get_if<LatentAttention>(&mixer))
            latent_core(*latent);
        else if (const auto *recurrent = std::get_if<RecurrentMixer>(&mixer))
            recurrent_core(*recurrent);
    }

    void softmax_core(const Attention &attention) {
        const double heads = static_cast<double>(attention.heads) / m_shape.tensor;
        const double kv_heads =
            static_cast<double>(attention.kv_heads) / std::min(m_shape.tensor, static_cast<double>(attention.kv_heads));
        const auto key_dim = static_cast<double>(attention.head_dim);
        const double value_dim =
            static_cast<double>(attention.value_head_dim > 0 ? attention.value_head_dim : attention.head_dim);
        const double window = attention.window > 0
            ? std::min<double>(m_shape.sequence, static_cast<double>(attention.window))
            : m_shape.sequence;
        // keys and values expanded to every query head
        const double kept_kv_heads = m_stack.fuses_elementwise ? kv_heads : heads;
        attention_core({.query_tokens = m_shape.tokens,
                        .key_tokens = window,
                        .attended_fraction = 1 - window / (2 * m_shape.sequence),
                        .heads = heads,
                        .query_key_dim = key_dim,
                        .value_dim = value_dim},
                       m_shape.tokens * (heads * key_dim + kept_kv_heads * (key_dim + value_dim) + heads * value_dim));
        const double rotated = m_shape.tokens * key_dim * (heads + kv_heads) * m_shape.activation_bytes;
        rotate(rotated);
    }

    /// Rotary embedding of queries and keys before the core.
    void rotate(double bytes) {
        LayerOperation &core = m_operations.back();
        core.moved = {bytes, 2 * m_stack.norm_traffic_factor, 2 * m_stack.norm_traffic_factor};
        core.seconds += seconds_of(core.moved, m_device);
    }

    void latent_core(const LatentAttention &attention) {
        const double heads = static_cast<double>(attention.heads) / m_shape.tensor;
        const auto key_dim = static_cast<double>(attention.nope_head_dim + attention.rope_head_dim);
        const auto value_dim = static_cast<double>(attention.value_head_dim);
        attention_core({.query_tokens = m_shape.tokens,
                        .key_tokens = m_shape.sequence,
                        .attended_fraction = 0.5,
                        .heads = heads,
                        .query_key_dim = key_dim,
                        .value_dim = value_dim},
                       m_shape.tokens * heads * (2 * key_dim + 2 * value_dim));
        const double rotated = m_shape.tokens * heads * key_dim * 2 * m_shape.activation_bytes;
        rotate(rotated);
    }

    /// Queries, keys, values and output are saved; without a fused kernel also five bytes per score: softmax output,
    /// dropout mask, dropout output.
    void attention_core(const AttentionShape &shape, double kept_elements) {
        const double inner = m_device.attention_is_fused()
            ? formula::attention_statistics_bytes(shape.query_tokens, shape.heads)
            : formula::attention_scores_bytes(shape.query_tokens, shape.key_tokens, shape.heads);
        add({.name = "attention.core",
             .module = Module::core_attention,
             .seconds = m_device.attention(shape).times(
                 formula::sliced_attention_share(m_shape.context, m_stack.ring_attention_factor)),
             .attention = shape,
             .saved_bytes = kept_elements * m_shape.activation_bytes + inner,
             .freed_bytes = inner,
             .output_bytes = shape.query_tokens * shape.heads * shape.value_dim * m_shape.activation_bytes});
    }

    void recurrent_core(const RecurrentMixer &mixer) {
        const double heads = static_cast<double>(mixer.value_heads) / m_shape.tensor;
        const double projected = m_shape.tokens * static_cast<double>(mixer.input_projection + mixer.output_projection)
            / m_shape.tensor * m_shape.activation_bytes;
        const RecurrentShape state{.tokens = m_shape.tokens,
                                   .heads = heads,
                                   .key_width = static_cast<double>(mixer.key_head_dim),
                                   .value_width = static_cast<double>(mixer.value_head_dim)};
        add({.name = "recurrent.core",
             .module = Module::core_attention,
             .seconds = m_device.recurrent(state, 2 * projected, 3 * projected),
             .saved_bytes = projected,
             .output_bytes = projected / 2});
    }

    void transform(const Block &block, const std::vector<Weight> &weights) {
        m_input_kept = block.parallel;
        for (const Weight &weight : weights) {
            if (weight.inputs == 0)
                continue;
            switch (weight.kind) {
            case WeightKind::feed_forward:
                network_matrix(weight, Module::feed_forward, gated(block), m_shape.tokens, m_shape.tensor, 1);
                break;
            case WeightKind::shared_expert:
                network_matrix(weight, Module::shared_expert, gated(block), m_shape.tokens, m_shape.tensor, 1);
                break;
            case WeightKind::router:
                router(weight);
                break;
            case WeightKind::routed_expert:
                expert_matrix(weight, std::get<Experts>(block.transform));
                break;
            default:
                break;
            }
        }
    }

    static bool gated(const Block &block) {
        if (const auto *dense = std::get_if<FeedForward>(&block.transform))
            return dense->gated;
        const auto *experts = std::get_if<Experts>(&block.transform);
        return experts != nullptr && experts->gated;
    }

    /// The two matrices of a feed-forward network, with the activation function in between.
    void network_matrix(const Weight &weight, Module module, bool gate, double rows, double ways, double groups) {
        if (weight.split != Split::row) {
            const bool first = weight.inputs == m_model.hidden && !std::exchange(m_input_kept, true);
            const double saved = weight.inputs != m_model.hidden || module == Module::expert
                ? kept_input(rows, inputs_per_rank(weight, ways))
                : first ? kept_input(gathered_tokens(), static_cast<double>(weight.inputs))
                        : 0;
            multiply(weight, module, rows, ways, groups, saved, MatrixUnits::compute);
            m_operations.back().entry_bytes = first && module != Module::expert ? saved : 0;
            return;
        }
        const double width = inputs_per_rank(weight, ways);
        const double bytes = rows * width * m_shape.activation_bytes;
        const TensorPasses moved = gate ? TensorPasses{bytes, 3, 5} : TensorPasses{bytes, 2, 3};
        const bool weighed = module == Module::expert && m_stack.weighs_experts_apart;
        add({.name = activation_name(weight.kind),
             .module = module == Module::expert ? Module::activation : module,
             .seconds = seconds_of(moved, m_device),
             .moved = moved,
             .saved_bytes = (gate ? 2 : 1) * rows * width * kept_activation_bytes()
                 + (gate && !m_stack.fuses_elementwise ? bytes : 0) // the gate before the multiplication
                 + (weighed ? bytes : 0),
             .freed_bytes = kept_input(rows, width),
             .output_bytes = bytes});
        multiply(weight, module, rows, ways, groups, kept_input(rows, width), MatrixUnits::compute);
        m_operations.back().ends_layer = true;
    }

    void router(const Weight &weight) {
        const double rows = m_shape.tokens / m_shape.expert_ways;
        const bool first = !std::exchange(m_input_kept, true);
        const double entry = first ? kept_input(rows, static_cast<double>(m_model.hidden)) : 0;
        multiply(weight, Module::expert, rows, 1, 1,
                 entry + 8 * rows * static_cast<double>(weight.outputs), // logits and probabilities in FP32
                 MatrixUnits::half);
        m_operations.back().entry_bytes = entry;
    }

    /// Tokens are dispatched to their experts. Each rank computes its experts' tokens, and all wait for the busiest
    /// rank.
    void expert_matrix(const Weight &weight, const Experts &experts) {
        const double copies = m_shape.tokens / m_shape.expert_ways * static_cast<double>(experts.experts_per_token);
        const double local = std::max(1.0, static_cast<double>(experts.experts) / m_shape.expert);
        const double rows = copies * m_shape.expert_tensor
            * formula::busiest_expert_load(m_device.load_variation(), local, m_shape.expert);
        if (weight.split != Split::row) {
            const double sent = copies * static_cast<double>(weight.inputs) * m_shape.activation_bytes;
            add({.name = "expert.permute",
                 .module = Module::expert,
                 .seconds = seconds_of({sent, 6, 8}, m_device),
                 .moved = {sent, 6, 8},
                 .saved_bytes = 0,
                 .output_bytes = sent});
        }
        network_matrix(weight, Module::expert, experts.gated, rows, m_shape.expert_tensor, local);
        if (weight.split == Split::row && m_stack.keeps_expert_outputs)
            m_operations.back().saved_bytes += copies * static_cast<double>(weight.outputs) * m_shape.activation_bytes;
    }

    const Model &m_model;
    const RankShape &m_shape;
    const Device &m_device;
    double m_hidden_bytes;
    const Stack &m_stack;
    bool m_input_kept = false; ///< the transform's input is already saved
    std::vector<LayerOperation> m_operations;
};

} // namespace

std::vector<LayerOperation> layer_operations(const Model &model, const Block &block, const RankShape &shape,
                                             const Device &device, const Plan &plan) {
    return layer_operations(model, block, weights_of(model, block), shape, device, plan);
}

std::vector<LayerOperation> layer_operations(const Model &model, const Block &block, const std::vector<Weight> &weights,
                                             const RankShape &shape, const Device &device, const Plan &plan) {
    std::vector<LayerOperation> operations = LayerBuilder(model, shape, device, plan).build(block, weights);
    const double factor = plan.stack.activation_factor;
    for (LayerOperation &operation : operations) {
        operation.saved_bytes *= factor;
        operation.entry_bytes *= factor;
        operation.freed_bytes *= factor;
    }
    return operations;
}

std::vector<LayerOperation> head_operations(const Model &model, const RankShape &shape, const Device &device,
                                            const Plan &plan) {
    const double hidden_bytes =
        shape.tokens * static_cast<double>(model.hidden) * shape.activation_bytes / shape.sequence_ways;
    const double logits = shape.tokens * static_cast<double>(model.vocabulary) / shape.logits_ways;
    // Three sevenths of the traffic are forward: maximum, sum and loss. The backward pass writes the gradient.
    const double moved = plan.stack.logits_traffic_bytes * logits;
    return {{.name = "norm.final",
             .module = Module::norm,
             .seconds = seconds_of({hidden_bytes, 2, 4}, device),
             .moved = {hidden_bytes, 2, 4},
             .saved_bytes = hidden_bytes,
             .output_bytes = hidden_bytes},
            {.name = "head",
             .module = Module::projection,
             .seconds = device.matrix(shape.tokens, static_cast<double>(model.vocabulary) / shape.tensor,
                                      static_cast<double>(model.hidden), MatrixUnits::half),
             .multiply = {.rows = shape.tokens,
                          .columns = static_cast<double>(model.vocabulary) / shape.tensor,
                          .depth = static_cast<double>(model.hidden),
                          .units = MatrixUnits::half},
             .saved_bytes = hidden_bytes,
             .output_bytes = logits * 2},
            {.name = "cross-entropy",
             .module = Module::projection,
             .seconds = seconds_of({moved, 3.0 / 7, 4.0 / 7}, device),
             .moved = {moved, 3.0 / 7, 4.0 / 7},
             .saved_bytes = 0,
             .output_bytes = logits * 4}};
}

std::vector<LayerOperation> embedding_operations(const Model &model, const RankShape &shape, const Device &device,
                                                 const Plan &plan) {
    const double elements = shape.tokens * static_cast<double>(model.hidden);
    return {{.name = "embedding",
             .module = Module::residual,
             .seconds = seconds_of({elements, 4, 8}, device),
             .moved = {elements, 4, 8},
             .saved_bytes = (plan.stack.dropout ? elements / shape.sequence_ways : 0) + 8 * shape.tokens,
             .output_bytes = elements * shape.activation_bytes / shape.sequence_ways}};
}

} // namespace meshwright
