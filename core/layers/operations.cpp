// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/operations.h"

#include "formulas/kernels.h"
#include "formulas/rank_memory.h"
#include "layers/mixer_core.h"
#include "layers/operation_parts.h"

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

/// Builds the operations of one layer. Element-wise operations move the bytes of fused 16-bit kernels. A norm reads
/// once and writes once in its forward pass; its backward pass moves four tensors: two inputs, the output, and the
/// residual gradient that is added. A residual addition moves three tensors.
template <Number N>
class LayerBuilder {
public:
    LayerBuilder(const Model &model, const BasicRankShape<N> &shape, const BasicDevice<N> &device, const Plan &plan)
        : m_model(model)
        , m_shape(shape)
        , m_device(device)
        , m_hidden_bytes(hidden_state_bytes(shape, model))
        , m_hidden(model_property<N>("hidden", "hidden size", model.hidden))
        , m_input_bytes(saved_input_bytes(plan.precision.compute))
        , m_stack(plan.stack) { }

    std::vector<BasicLayerOperation<N>> build(const Block &block, const std::vector<Weight> &weights) {
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
    using Operation = BasicLayerOperation<N>;

    static N saved_input_bytes(DataType compute) {
        return label(
            formula::saved_input_bytes(read<N>(bytes_of(compute),
                                               {Origin::plan, "format_bytes", "bytes per element in the compute format",
                                                Quantity::bytes, "/precision/compute"})),
            {"element_bytes", "bytes per element of a matmul's input", Quantity::bytes});
    }

    void add(const Operation &operation) { m_operations.push_back(operation); }

    /// Bytes of the hidden states that norms and residual additions process on this rank. With sequence parallelism,
    /// these are only the hidden states of the rank's shard of the tokens.
    N hidden_share() const {
        return label(m_hidden_bytes / m_shape.sequence_ways,
                     {"hidden_share", "hidden states of the rank's tokens", Quantity::bytes});
    }

    /// A norm whose output is saved by the next GEMM.
    void norm(const char *name) { norm(name, saved_input(gathered_tokens(), m_hidden)); }

    void norm(const char *name, const N &freed) {
        const N bytes = hidden_share();
        const BasicTensorPasses<N> moved =
            passes_over(bytes, 2 * m_stack.norm_traffic_factor, 4 * m_stack.norm_traffic_factor);
        add({.name = name,
             .module = Module::norm,
             .seconds = seconds_of(moved, m_device),
             .moved = moved,
             .saved_bytes = m_stack.fuses_elementwise
                 ? saved(bytes, name, "input of the norm, saved for its gradient")
                 : saved(bytes + bytes, name, "input of the norm and the normalized vector before it is scaled"),
             .freed_bytes = freed,
             .output_bytes = bytes});
    }

    void residual(const char *name) {
        const N bytes = hidden_share();
        const N elements = bytes / m_shape.activation_bytes;
        const BasicTensorPasses<N> moved = passes_over(bytes, 3, 3);
        add({.name = name,
             .module = Module::residual,
             .seconds = seconds_of(moved, m_device),
             .moved = moved,
             .saved_bytes = m_stack.dropout ? saved(elements, name, "dropout mask, one byte per element") : N(0),
             .output_bytes = bytes});
    }

    N saved_activation_bytes() const {
        return m_stack.keeps_activations_in_compute_format ? m_input_bytes : m_shape.activation_bytes;
    }

    /// Rows of the input of attention, or of the feed-forward part, that this rank saves for backward.
    N gathered_tokens() const { return m_stack.keeps_gathered_inputs ? m_shape.tokens : tokens_share(); }
    N tokens_share() const {
        return label(m_shape.tokens / m_shape.sequence_ways,
                     {"tokens", "the rank's shard of a microbatch's tokens", Quantity::count});
    }

    /// Bytes of a GEMM input that is saved for the weight gradient: `rows` of `width` elements.
    N saved_input(const N &rows, const N &width) const {
        return formula::saved_tensor_bytes(rows, width, m_input_bytes);
    }

    /// The derivation shows this as the reason for saving a GEMM's input.
    static constexpr const char *matmul_input = "input of the matmul, saved for the weight gradient";

    void multiply(const Weight &weight, Module module, const N &rows, const N &ways, const N &groups,
                  const N &saved_bytes, MatrixUnits units) {
        const N n = outputs_per_rank(weight, ways);
        const N k = inputs_per_rank(weight, ways);
        add({.name = weight.name,
             .module = module,
             .seconds = m_device.matrix(rows, n, k, units, groups),
             .multiply = {.rows = rows, .columns = n, .depth = k, .groups = groups, .units = units},
             .saved_bytes = saved(saved_bytes, weight.name, matmul_input),
             .output_bytes = label(rows * n * m_shape.activation_bytes,
                                   {"output_bytes", "output of the operation", Quantity::bytes})});
    }

    void mixer(const Block &block, const std::vector<Weight> &weights) {
        bool hidden_saved = false;
        bool core_done = false;
        for (const Weight &weight : weights) {
            if (weight.kind != WeightKind::mixer || weight.inputs == 0)
                continue;
            const bool closes = closes_mixer(weight);
            if (closes && !core_done) {
                add(core_operation(block.mixer, m_shape, m_device, m_stack));
                core_done = true;
            }
            const N rows = weight.split == Split::replicated ? tokens_share() : m_shape.tokens;
            N saved_bytes = 0;
            if (closes)
                // A 16-bit GEMM uses the output saved by the attention core. A low-precision GEMM saves its own copy.
                saved_bytes = m_input_bytes < m_shape.activation_bytes || !m_stack.fuses_elementwise
                    ? saved_input(rows, inputs_per_rank(weight, m_shape.tensor))
                    : N(0);
            // A projection from a latent saves the latent and the output of its norm.
            else if (weight.inputs != m_model.hidden)
                saved_bytes = saved_input(tokens_share(), latent_width(weight))
                    + label(formula::saved_tensor_bytes(tokens_share(), latent_width(weight), m_shape.activation_bytes),
                            {"normalized", "the compressed vector before its norm", Quantity::bytes});
            else if (!std::exchange(hidden_saved, true))
                saved_bytes = saved_input(gathered_tokens(), m_hidden);
            const bool latent = std::holds_alternative<LatentAttention>(block.mixer) && weight.name.ends_with("_up");
            multiply(weight, latent ? Module::latent_up : Module::projection, rows, m_shape.tensor, 1, saved_bytes,
                     MatrixUnits::compute);
            m_operations.back().feeds_core = !core_done;
        }
        if (!core_done)
            add(core_operation(block.mixer, m_shape, m_device, m_stack));
    }

    static N latent_width(const Weight &weight) {
        return model_property<N>("inputs", "input features of the matrix: width of the compressed vector",
                                 weight.inputs);
    }

    void transform(const Block &block, const std::vector<Weight> &weights) {
        m_input_saved = block.parallel;
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

    /// Adds one matrix of a feed-forward network. The activation function is added before the second matrix.
    void network_matrix(const Weight &weight, Module module, bool gate, const N &rows, const N &ways, const N &groups) {
        if (weight.split != Split::row) {
            const bool first = weight.inputs == m_model.hidden && !std::exchange(m_input_saved, true);
            const N saved_bytes = weight.inputs != m_model.hidden || module == Module::expert
                ? saved_input(rows, inputs_per_rank(weight, ways))
                : first ? saved_input(gathered_tokens(), inputs_per_rank(weight, ways))
                        : N(0);
            multiply(weight, module, rows, ways, groups, saved_bytes, MatrixUnits::compute);
            m_operations.back().entry_bytes = first && module != Module::expert ? saved_bytes : N(0);
            return;
        }
        const N width = inputs_per_rank(weight, ways);
        const N bytes = label(rows * width * m_shape.activation_bytes,
                              {"output_bytes", "output of the operation", Quantity::bytes});
        const BasicTensorPasses<N> moved = gate ? passes_over(bytes, 3, 5) : passes_over(bytes, 2, 3);
        const bool weighed = module == Module::expert && m_stack.weighs_experts_apart;
        N saved_bytes = (gate ? 2 : 1) * rows * width * saved_activation_bytes();
        if (gate && !m_stack.fuses_elementwise)
            saved_bytes += bytes; // output of the activation function, which is multiplied by the gate
        if (weighed)
            saved_bytes += bytes;
        add({.name = activation_name(weight.kind),
             .module = module == Module::expert ? Module::activation : module,
             .seconds = seconds_of(moved, m_device),
             .moved = moved,
             .saved_bytes = saved(saved_bytes, activation_name(weight.kind),
                                  gate ? "gate and input of the activation function, saved for its gradient"
                                       : "input of the activation function, saved for its gradient"),
             .freed_bytes = saved_input(rows, width),
             .output_bytes = bytes});
        multiply(weight, module, rows, ways, groups, saved_input(rows, width), MatrixUnits::compute);
        m_operations.back().ends_layer = true;
    }

    void router(const Weight &weight) {
        const N rows = tokens_share();
        const bool first = !std::exchange(m_input_saved, true);
        const N entry = first ? saved_input(rows, m_hidden) : N(0);
        const N scores = label(8 * rows * model_property<N>("outputs", "output features of the matrix", weight.outputs),
                               {"scores", "logits and probabilities in FP32", Quantity::bytes});
        multiply(weight, Module::expert, rows, 1, 1, entry + scores, MatrixUnits::half);
        m_operations.back().entry_bytes = entry;
    }

    /// Tokens are dispatched to their experts. Each rank processes the tokens of its own experts, and all ranks wait
    /// for the busiest one.
    void expert_matrix(const Weight &weight, const Experts &experts) {
        using formula::max;
        const N copies =
            label(m_shape.tokens / m_shape.expert_ways
                      * model_property<N>("experts_per_token", "experts per token", experts.experts_per_token),
                  {"copies", "copies of the rank's tokens, one per selected expert", Quantity::count});
        const N local = label(
            max(N(1), model_property<N>("experts", "routed experts of the layer", experts.experts) / m_shape.expert),
            {"rank_experts", "routed experts per rank", Quantity::number});
        const N load = formula::busiest_expert_load(m_device.load_variation(), local, m_shape.expert);
        const N rows = label(copies * m_shape.expert_tensor * load,
                             {"rows", "tokens processed by the experts of the busiest rank", Quantity::count,
                              "all ranks wait for the rank with the most tokens"});
        if (weight.split != Split::row) {
            const N sent = label(copies * model_property<N>("inputs", "input features of the matrix", weight.inputs)
                                     * m_shape.activation_bytes,
                                 {"sent", "bytes of the copies of the rank's tokens", Quantity::bytes});
            const BasicTensorPasses<N> moved = passes_over(sent, 6, 8);
            add({.name = "expert.permute",
                 .module = Module::expert,
                 .seconds = seconds_of(moved, m_device),
                 .moved = moved,
                 .saved_bytes = 0,
                 .output_bytes = sent});
        }
        network_matrix(weight, Module::expert, experts.gated, rows, m_shape.expert_tensor, local);
        if (weight.split == Split::row && m_stack.keeps_expert_outputs)
            m_operations.back().saved_bytes +=
                label(copies * model_property<N>("outputs", "output features of the matrix", weight.outputs)
                          * m_shape.activation_bytes,
                      {"expert_outputs", "outputs of the experts, needed for the gradient of the routing weights",
                       Quantity::bytes});
    }

    const Model &m_model;
    const BasicRankShape<N> &m_shape;
    const BasicDevice<N> &m_device;
    N m_hidden_bytes;
    N m_hidden;
    N m_input_bytes;
    const Stack &m_stack;
    bool m_input_saved = false; ///< whether an earlier operation saves the input of the feed-forward part
    std::vector<Operation> m_operations;
};

} // namespace

template <Number N>
std::vector<BasicLayerOperation<N>> layer_operations(const Model &model, const Block &block,
                                                     const BasicRankShape<N> &shape, const BasicDevice<N> &device,
                                                     const Plan &plan) {
    return layer_operations(model, block, weights_of(model, block), shape, device, plan);
}

template <Number N>
std::vector<BasicLayerOperation<N>> layer_operations(const Model &model, const Block &block,
                                                     const std::vector<Weight> &weights, const BasicRankShape<N> &shape,
                                                     const BasicDevice<N> &device, const Plan &plan) {
    std::vector<BasicLayerOperation<N>> operations = LayerBuilder<N>(model, shape, device, plan).build(block, weights);
    if (plan.stack.activation_factor == 1)
        return operations;
    const N factor =
        stack_number<N>("activation_factor", "saved activations relative to the minimum needed for backward",
                        "/stack/activation_factor", plan.stack.activation_factor);
    for (BasicLayerOperation<N> &operation : operations) {
        operation.saved_bytes *= factor;
        operation.entry_bytes *= factor;
        operation.freed_bytes *= factor;
    }
    return operations;
}

template std::vector<LayerOperation> layer_operations(const Model &, const Block &, const RankShape &, const Device &,
                                                      const Plan &);
template std::vector<LayerOperation> layer_operations(const Model &, const Block &, const std::vector<Weight> &,
                                                      const RankShape &, const Device &, const Plan &);
template std::vector<TracedOperation> layer_operations(const Model &, const Block &, const BasicRankShape<Traced> &,
                                                       const BasicDevice<Traced> &, const Plan &);
template std::vector<TracedOperation> layer_operations(const Model &, const Block &, const std::vector<Weight> &,
                                                       const BasicRankShape<Traced> &, const BasicDevice<Traced> &,
                                                       const Plan &);

} // namespace meshwright
