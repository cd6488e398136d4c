// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_layers.h"

#include <fmt/format.h>

#include <cmath>

namespace meshwright {

namespace {

constexpr Quantity time = Quantity::seconds;
constexpr Quantity count = Quantity::count;
constexpr std::string_view pass_titles[] = {"forward", "input gradient", "weight gradient"};

std::string title_of(const LayerOperation &operation, Pass pass) {
    return fmt::format("{}, {}", operation.name, pass_titles[static_cast<int>(pass)]);
}

Derivation memory_rate(const ExplainContext &context) {
    return by_formula({"memory_rate", "sustained memory bandwidth", Quantity::bytes_per_second}, "sustained-bandwidth",
                      "memory_rate",
                      {context.accelerator_fact({"bandwidth", "memory bandwidth", Quantity::bytes_per_second},
                                                context.plan.cluster.accelerator.memory_bandwidth_bytes_per_second,
                                                "memory_bandwidth_bytes_per_second"),
                       context.constant("efficiency", ConstantId::memory_bandwidth_efficiency)});
}

Derivation gap(const ExplainContext &context) {
    const Labelled what{"gap", "gap between kernels", time};
    const double value = context.layers.device().kernel_gap_seconds();
    return value == 0 ? software_fact(what, 0, "this stack launches for free")
                      : context.constant("gap", ConstantId::kernel_gap_seconds);
}

Derivation traffic_factor(const ExplainContext &context) {
    return context.stack_fact({"traffic_factor", "element-wise traffic against fused kernels"},
                              context.layers.device().traffic_factor(), "memory_traffic_factor");
}

/// Rate of the multiplies: the peak that the format runs on, times what training sustains of it.
Derivation matrix_rate(const ExplainContext &context, MatrixUnits units, double groups) {
    const double rate = context.layers.device().flops_per_second(units, groups);
    const bool half = units == MatrixUnits::half;
    const double peak = half ? context.layers.device().half_peak()
                             : context.plan.cluster.accelerator.peak(context.plan.precision.compute);
    return product_of(
        {"rate", "sustained rate of the multiplies", Quantity::flops_per_second},
        "peak times what training sustains of it",
        {context.accelerator_fact({"peak", half ? "dense 16-bit peak" : "dense peak", Quantity::flops_per_second}, peak,
                                  "peak_flops_per_second"),
         counted(
             {"sustained", "share that training sustains with this software", Quantity::share}, rate / peak,
             "matrix-efficiency constants of the architecture and format, grouped multiplies and the stack's factor",
             "/assumptions")});
}

Derivation multiply_seconds(const ExplainContext &context, const LayerOperation &operation, Pass pass) {
    const MultiplyShape &shape = operation.multiply;
    constexpr std::string_view results[] = {"forward_seconds", "input_gradient_seconds", "weight_gradient_seconds"};
    return by_formula({identifier(operation.name), title_of(operation, pass), time}, "matrix-multiply",
                      results[static_cast<int>(pass)],
                      {counted({"rows", "rows: tokens of a microbatch on a rank", count}, shape.rows,
                               "batch over parallelism", "/batch/micro_sequences"),
                       counted({"columns", "columns: outputs on a rank", count}, shape.columns,
                               "the weight's shape over tensor parallelism", "/parallelism/tensor"),
                       counted({"depth", "depth: inputs on a rank", count}, shape.depth,
                               "the weight's shape over tensor parallelism", "/parallelism/tensor"),
                       counted({"groups", "multiplies side by side", count}, shape.groups, "experts on a rank",
                               "/parallelism/expert"),
                       plan_field({"element_bytes", "bytes of an input element", Quantity::bytes},
                                  context.layers.device().element_bytes(shape.units), "/precision/compute"),
                       matrix_rate(context, shape.units, shape.groups), memory_rate(context), gap(context)});
}

/// A memory-bound kernel: what its time says of the bytes that it moves.
Derivation traffic_seconds(const ExplainContext &context, Labelled what, double seconds) {
    const Device &device = context.layers.device();
    const double moved = std::max(0.0, seconds - device.kernel_gap_seconds()) * device.memory_bytes_per_second()
        / device.traffic_factor();
    return by_formula(std::move(what), "memory-bound-kernel", "seconds",
                      {counted({"bytes", "moved by a fused kernel", Quantity::bytes}, moved,
                               "tensors of the operation, read and written", "/batch/micro_sequences"),
                       traffic_factor(context), memory_rate(context), gap(context)});
}

Derivation attention_core(const ExplainContext &context, const AttentionShape &shape, Pass pass) {
    const Device &device = context.layers.device();
    const bool forward = pass == Pass::forward;
    const char *const result = forward ? "forward_seconds" : "backward_seconds";
    const double widths = shape.query_key_dim + shape.value_dim;
    std::vector<Derivation> inputs{
        counted({"query_tokens", "queries of a microbatch on a rank", count}, shape.query_tokens,
                "batch over context parallelism", "/batch/micro_sequences"),
        plan_field({"key_tokens", "keys: tokens of a sequence or of its window", count}, shape.key_tokens,
                   "/batch/sequence_length"),
        counted({"heads", "heads on a rank"}, shape.heads, "the model's heads over tensor parallelism",
                "/parallelism/tensor"),
        model_fact({"widths", "width of a query and of a value together", count}, widths, "the model's shape")};
    const Labelled what{"attention", "scores and their use", time};
    if (!device.attention_is_fused()) {
        inputs.push_back(counted({"rate", "rate of the multiplies", Quantity::flops_per_second},
                                 device.unfused_attention_rate(shape), "16-bit peak x unfused-attention-efficiency",
                                 "/assumptions/unfused-attention-efficiency"));
        inputs.push_back(counted({"score_factor", "traffic of scores against a fused softmax"},
                                 device.score_traffic_factor(shape), "sequences x heads in multiples of four or not",
                                 "/assumptions/unfused-softmax-factor"));
        inputs.push_back(memory_rate(context));
        return by_formula(what, "unfused-attention", result, std::move(inputs));
    }
    const AttentionCurve curve = device.attention_curve();
    inputs.push_back(
        counted({"seen_share", "of the keys that a query sees", Quantity::share}, shape.seen_share, "the causal mask"));
    inputs.push_back(by_formula(
        {"long_rate", "the kernel's rate at long sequences", Quantity::flops_per_second}, "attention-rate", "long_rate",
        {counted({"measured_rate", "where it was measured", Quantity::flops_per_second},
                 forward ? curve.forward_peak : curve.backward_peak, "published benchmarks of the kernel"),
         counted({"measured_peak", "dense peak there", Quantity::flops_per_second}, curve.reference_peak,
                 "published benchmarks of the kernel"),
         context.accelerator_fact({"peak", "dense 16-bit peak", Quantity::flops_per_second}, device.half_peak(),
                                  "peak_flops_per_second"),
         counted({"head_factor", "for narrow heads"}, Device::head_factor(curve, widths),
                 "published benchmarks of the kernel")}));
    inputs.push_back(counted({"half_tokens", "keys at which it reaches half of that", count},
                             forward ? curve.forward_half : curve.backward_half, "published benchmarks of the kernel"));
    inputs.push_back(context.accelerator_fact({"multiprocessors", "multiprocessors", count}, device.multiprocessors(),
                                              "multiprocessors"));
    inputs.push_back(gap(context));
    return by_formula(what, "fused-attention", result, std::move(inputs));
}

Derivation attention_seconds(const ExplainContext &context, const LayerOperation &operation, Pass pass) {
    const double seconds = of_pass(operation.seconds, pass);
    Derivation core = attention_core(context, operation.attention, pass);
    Derivation rotary =
        traffic_seconds(context, {"rotary", "rotating queries and keys", time}, std::max(0.0, seconds - core.value));
    return sum_of({identifier(operation.name), title_of(operation, pass), time}, "one after the other",
                  {std::move(core), std::move(rotary)});
}

Derivation recurrent_seconds(const ExplainContext &context, const RecurrentMixer &mixer,
                             const LayerOperation &operation, Pass pass) {
    const Device &device = context.layers.device();
    const RankShape &shape = context.layers.shape();
    const bool forward = pass == Pass::forward;
    return by_formula(
        {identifier(operation.name), title_of(operation, pass), time}, "recurrent-mixer", "seconds",
        {counted({"tokens", "tokens of a microbatch on a rank", count}, shape.tokens, "batch over parallelism",
                 "/batch/micro_sequences"),
         counted({"heads", "heads on a rank"}, static_cast<double>(mixer.value_heads) / shape.tensor,
                 "the model's heads over tensor parallelism", "/parallelism/tensor"),
         shape_fact("key_width", "width of a key", mixer.key_head_dim),
         shape_fact("value_width", "width of a value", mixer.value_head_dim),
         counted({"passes", "forward 1, backward 2"}, forward ? 1 : 2, "counted"),
         counted({"rate", "sustained 16-bit rate", Quantity::flops_per_second}, device.half_flops_per_second(),
                 "16-bit peak times what training sustains of it", "/assumptions"),
         counted({"moved", "bytes of projections, read and written", Quantity::bytes},
                 (forward ? 2 : 3) * operation.saved_bytes, "the mixer's projections", "/batch/micro_sequences"),
         traffic_factor(context), memory_rate(context), gap(context)});
}

/// Kernels of one pass of a layer.
Derivation kernels_of(const ExplainContext &context, const Block &block, const std::vector<LayerOperation> &operations,
                      Pass pass, std::string name) {
    std::vector<Derivation> kernels;
    for (const LayerOperation &operation : operations)
        if (of_pass(operation.seconds, pass) > 0)
            kernels.push_back(operation_seconds(context, &block, operation, pass));
    number_repeats(kernels);
    return sum_of({std::move(name), fmt::format("kernels, {}", pass_titles[static_cast<int>(pass)]), time},
                  "operations of the layer one after another", std::move(kernels));
}

Derivation launches(const ExplainContext &context, const Block &block) {
    return software_fact({"launch_seconds", "host time of a layer's forward kernels", time},
                         host_seconds(context.plan, block),
                         fmt::format("{}: launches of a layer", context.plan.stack.name));
}

} // namespace

double of_pass(const KernelSeconds &seconds, Pass pass) {
    return pass == Pass::forward       ? seconds.forward
        : pass == Pass::input_gradient ? seconds.input_gradient
                                       : seconds.weight_gradient;
}

double of_pass(const LayerCost &cost, Pass pass) {
    return pass == Pass::forward       ? cost.forward_seconds
        : pass == Pass::input_gradient ? cost.input_gradient_seconds
                                       : cost.weight_gradient_seconds;
}

Derivation operation_seconds(const ExplainContext &context, const Block *block, const LayerOperation &operation,
                             Pass pass) {
    if (operation.multiply.rows > 0)
        return multiply_seconds(context, operation, pass);
    if (operation.attention.heads > 0)
        return attention_seconds(context, operation, pass);
    if (const auto *mixer = block != nullptr ? std::get_if<RecurrentMixer>(&block->mixer) : nullptr;
        mixer != nullptr && operation.module == Module::core_attention)
        return recurrent_seconds(context, *mixer, operation, pass);
    return traffic_seconds(context, {identifier(operation.name), title_of(operation, pass), time},
                           of_pass(operation.seconds, pass));
}

Derivation layer_compute(const ExplainContext &context, std::size_t index) {
    const Block &block = context.plan.model.blocks[index];
    const std::vector<LayerOperation> operations =
        layer_operations(context.plan.model, block, context.layers.shape(), context.layers.device(), context.plan);
    std::vector<Derivation> passes{by_formula(
        {"forward", "forward pass", time}, "launch-bound-layer", "seconds",
        {kernels_of(context, block, operations, Pass::forward, "kernel_seconds"), launches(context, block)})};
    // Launches stretch both halves of the backward pass alike.
    Derivation inputs = kernels_of(context, block, operations, Pass::input_gradient, "input_gradient_kernels");
    Derivation weights = kernels_of(context, block, operations, Pass::weight_gradient, "weight_gradient_kernels");
    passes.push_back(
        by_formula({"backward", "backward pass", time}, "launch-bound-layer", "seconds",
                   {sum_of({"kernel_seconds", "kernels, backward", time}, "gradients by inputs and by weights",
                           {std::move(inputs), std::move(weights)}),
                    by_formula({"launch_seconds", "host time of a layer's backward kernels", time},
                               "launch-bound-layer", "backward_launch_seconds", {launches(context, block)})}));
    const std::string name = name_of_block(context.plan.model, index);
    return sum_of({name, block.name.empty() ? "one layer" : fmt::format("one {} layer", block.name), time},
                  "forward and backward pass of one microbatch", std::move(passes));
}

} // namespace meshwright
