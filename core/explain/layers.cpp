// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layers.h"
#include "explain/layout.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr const char *attention_source = "FlashAttention-2, arXiv 2307.08691, figures 5 to 7; FlashAttention-3, arXiv "
                                         "2407.08608, figures 5 and 6; vendor charts for Blackwell";
constexpr const char *key_title = "keys: number of tokens in the sequence or attention window";
constexpr std::string_view pass_titles[] = {"forward", "input gradient", "weight gradient"};

std::string title_of(const TracedOperation &operation, Pass pass) {
    return fmt::format("{}, {}", operation.name, pass_titles[static_cast<int>(pass)]);
}

Derivation gap(const ExplainContext &context) {
    const Labelled what{"gap", "idle time between kernels", time};
    const double value = context.layers.device().kernel_gap_seconds();
    return value == 0 ? software_fact(what, 0, "this stack has no idle time between kernels")
                      : context.constant("gap", ConstantId::kernel_gap_seconds);
}

Derivation traffic_factor(const ExplainContext &context) {
    return context.stack_fact({"traffic_factor", "element-wise memory traffic relative to fused kernels"},
                              context.layers.device().traffic_factor(), "memory_traffic_factor");
}

/// Clock of a GPU variant with a lower power limit, divided by the clock of its generation's SXM variant.
Derivation clock_of_power(const ExplainContext &context) {
    const Accelerator &accelerator = context.plan.cluster.accelerator;
    const FullPower full = full_power(accelerator).value_or(FullPower{});
    return derived(
        {"power", "clock factor of a GPU variant with a lower power limit"}, power_factor(accelerator, context.assumed),
        "(rated * full_peak / full / peak) ^ exponent",
        "watts per peak FLOP/s relative to the SXM variant, raised to an exponent",
        {context.accelerator_fact({"rated", "rated power", Quantity::watts}, accelerator.power_watts, "power_watts"),
         context.accelerator_fact({"peak", "dense 16-bit peak", Quantity::flops_per_second},
                                  accelerator.peak(DataType::bf16), "peak_flops_per_second"),
         published({"full", "rated power of the SXM variant", Quantity::watts}, full.watts, full.source),
         published({"full_peak", "dense 16-bit peak of the SXM variant", Quantity::flops_per_second},
                   full.flops_per_second, full.source),
         context.constant("exponent", ConstantId::power_exponent)});
}

/// Peak FLOP/s at the clock that the accelerator's power limit allows; attention's rate is proportional to it.
Derivation attention_peak(const ExplainContext &context) {
    const Device &device = context.layers.device();
    Derivation peak = context.accelerator_fact({"peak", "dense 16-bit peak", Quantity::flops_per_second},
                                               device.half_peak(), "peak_flops_per_second");
    if (device.attention_peak() == device.half_peak())
        return peak;
    return product_of({"peak", "16-bit peak at the reduced clock", Quantity::flops_per_second},
                      "proportional to the clock rate",
                      {named("dense_peak", std::move(peak)), clock_of_power(context)});
}

/// Fraction of the peak that training sustains: constants of the architecture and format, times the stack's factor.
Derivation sustained_share(const ExplainContext &context, DataType type, double groups) {
    const Accelerator &accelerator = context.plan.cluster.accelerator;
    const MatrixEfficiency efficiency = matrix_efficiency(accelerator, type);
    std::vector<Derivation> factors{context.stack_fact({"stack_factor", "matmul rate factor of the stack"},
                                                       context.plan.stack.matrix_efficiency_factor,
                                                       "matrix_efficiency_factor")};
    const auto add = [&](const char *name, ConstantId id) { factors.push_back(context.constant(name, id)); };
    constexpr const char *names[] = {"efficiency", "further", "part"};
    for (std::size_t i = 0; i < efficiency.times.size(); ++i)
        add(names[i], efficiency.times[i]);
    if (groups > 1)
        add("grouped", ConstantId::grouped_matrix_factor);
    if (power_factor(accelerator, context.assumed) != 1)
        factors.push_back(clock_of_power(context));
    Derivation share =
        product_of({"sustained", "fraction of peak that training sustains with this software", Quantity::share},
                   "the fractions are registry constants", std::move(factors));
    if (efficiency.over) {
        share.inputs.push_back(context.constant("siblings", *efficiency.over));
        share.value /= share.inputs.back().value;
        share.formula += " / siblings";
    }
    return share;
}

/// Sustained matmul rate: peak of the format, times the fraction that training sustains.
Derivation matrix_rate(const ExplainContext &context, MatrixUnits units, double groups) {
    // With FP32 or TF32, all matmuls run in that format; with other formats, 16-bit matmuls run at the 16-bit peak.
    const DataType compute = context.plan.precision.compute;
    const bool wide = compute == DataType::fp32 || compute == DataType::tf32;
    const bool half = units == MatrixUnits::half && !wide;
    const double peak = half ? context.layers.device().half_peak() : context.plan.cluster.accelerator.peak(compute);
    return product_of(
        {"rate", "sustained matmul rate", Quantity::flops_per_second}, "peak times the fraction that training sustains",
        {context.accelerator_fact({"peak", half ? "dense 16-bit peak" : "dense peak", Quantity::flops_per_second}, peak,
                                  "peak_flops_per_second"),
         sustained_share(context, half ? DataType::bf16 : compute, groups)});
}

Derivation multiply_seconds(const ExplainContext &context, const TracedOperation &operation, Pass pass) {
    const BasicGemmShape<Traced> &shape = operation.multiply;
    constexpr std::string_view results[] = {"forward_seconds", "input_gradient_seconds", "weight_gradient_seconds"};
    return by_formula(
        {identifier(operation.name), title_of(operation, pass), time}, "matrix-multiply",
        results[static_cast<int>(pass)],
        {shape.rows.derivation({"rows", "rows: tokens of a microbatch in this matmul", count}, "definition"),
         shape.columns.derivation({"columns", "columns: output features per rank", count}, "definition"),
         shape.depth.derivation({"depth", "depth: input features per rank", count}, "definition"),
         shape.groups.derivation({"groups", "matmuls in one grouped GEMM", count},
                                 "1 for a single matrix, by definition"),
         element_bytes(context, shape.units),
         tiled_rate(context, shape, pass, matrix_rate(context, shape.units, value_of(shape.groups)),
                    memory_rate(context)),
         memory_rate(context), gap(context)});
}

/// Time of a memory-bound kernel. It moves the size of its tensor times the number of reads and writes.
Derivation traffic_seconds(const ExplainContext &context, Labelled what, const BasicTensorPasses<Traced> &moved,
                           Pass pass) {
    const Traced &passes = pass == Pass::forward ? moved.forward : moved.backward;
    return by_formula(std::move(what), "memory-bound-kernel", "seconds",
                      {product_of({"bytes", "bytes moved by a fused kernel", Quantity::bytes},
                                  "tensor size times the number of reads and writes",
                                  {passes.derivation({"passes", {}}, {}),
                                   moved.bytes.derivation(
                                       {"tensor", "bytes of the operation's tensor", Quantity::bytes}, "definition")}),
                       traffic_factor(context), memory_rate(context), gap(context)});
}

/// Matmul rate of attention without a fused kernel; matrix units need head dimensions in multiples of eight.
Derivation unfused_rate(const ExplainContext &context, const BasicAttentionShape<Traced> &shape) {
    const Device &device = context.layers.device();
    std::vector<Derivation> factors{context.accelerator_fact({"peak", "dense 16-bit peak", Quantity::flops_per_second},
                                                             device.half_peak(), "peak_flops_per_second"),
                                    context.constant("efficiency", ConstantId::unfused_attention_efficiency)};
    const double rate = factors[0].value * factors[1].value;
    if (device.unfused_attention_rate(values_of(shape)) < rate)
        factors.push_back(context.constant("unaligned", ConstantId::unaligned_attention_factor));
    return product_of({"rate", "matmul rate", Quantity::flops_per_second},
                      "fraction of peak that attention's matmuls reach", std::move(factors));
}

/// The fused softmax needs sequences x heads in multiples of four; otherwise scores are read and written more often.
Derivation score_factor(const ExplainContext &context, const BasicAttentionShape<Traced> &shape) {
    const double factor = context.layers.device().score_traffic_factor(values_of(shape));
    Derivation constant = context.constant("score_factor", ConstantId::unfused_softmax_factor);
    const Labelled what{"score_factor", "memory traffic of scores relative to a fused softmax"};
    return derived(
        what, factor,
        "heads * query_tokens / key_tokens == 4 * floor(heads * query_tokens / key_tokens / 4) ? 1 : otherwise",
        "Megatron-LM's fused softmax needs sequences times heads to be a multiple of four",
        {shape.heads.derivation({"heads", {}}, {}), microbatch_tokens(context, "query_tokens"),
         shape.key_tokens.derivation({"key_tokens", key_title}, {}), named("otherwise", std::move(constant))});
}

Derivation attention_core(const ExplainContext &context, const BasicAttentionShape<Traced> &shape, Pass pass) {
    const Device &device = context.layers.device();
    const bool forward = pass == Pass::forward;
    const char *const result = forward ? "forward_seconds" : "backward_seconds";
    const Traced widths = shape.query_key_dim + shape.value_dim;
    std::vector<Derivation> inputs{
        microbatch_tokens(context, "query_tokens"), shape.key_tokens.derivation({"key_tokens", key_title}, {}),
        shape.heads.derivation({"heads", {}}, {}),
        widths.derivation({"widths", "query plus value head dimension", count}, "the model's shape")};
    const Labelled what{"attention", "time of attention scores and values", time};
    if (!device.attention_is_fused()) {
        inputs.push_back(unfused_rate(context, shape));
        inputs.push_back(score_factor(context, shape));
        inputs.push_back(memory_rate(context));
        return by_formula(what, "unfused-attention", result, std::move(inputs));
    }
    const AttentionCurve curve = device.attention_curve();
    inputs.push_back(shape.attended_fraction.derivation({"attended_fraction", {}}, {}));
    inputs.push_back(by_formula(
        {"long_rate", "the kernel's rate at long sequences", Quantity::flops_per_second}, "attention-rate", "long_rate",
        {published({"measured_rate", "measured rate", Quantity::flops_per_second},
                   forward ? curve.forward_peak : curve.backward_peak, attention_source),
         published({"measured_peak", "dense peak of the measured accelerator", Quantity::flops_per_second},
                   curve.reference_peak, attention_source),
         attention_peak(context),
         published({"head_factor", "factor for small head dimensions"}, Device::head_factor(curve, value_of(widths)),
                   attention_source)}));
    inputs.push_back(published({"half_tokens", "sequence length (keys) that reaches half of the peak rate", count},
                               forward ? curve.forward_half : curve.backward_half, attention_source));
    inputs.push_back(context.accelerator_fact({"multiprocessors", "multiprocessors", count}, device.multiprocessors(),
                                              "multiprocessors"));
    inputs.push_back(gap(context));
    return by_formula(what, "fused-attention", result, std::move(inputs));
}

/// Time of the attention core. If sequences are split into slices, it includes the overhead of ring attention.
Derivation ring_attention(const ExplainContext &context, const BasicAttentionShape<Traced> &shape, Pass pass) {
    Derivation core = attention_core(context, shape, pass);
    const double factor = context.plan.stack.ring_attention_factor;
    const auto slices = static_cast<double>(context.plan.parallelism.context);
    if (slices <= 1 || factor == 1)
        return core;
    return product_of(
        {"attention", "time of attention scores and values, computed slice by slice", time}, "ring attention",
        {named("at_once", std::move(core)),
         by_formula(
             {"ring", "attention time relative to one kernel over all keys"}, "sliced-attention", "share",
             {plan_field({"context", "slices per sequence", count}, slices, "/parallelism/context"),
              context.stack_fact(
                  {"factor", "time per slice of another rank's keys, relative to a slice of the rank's own keys"},
                  factor, "ring_attention_factor")})});
}

Derivation attention_seconds(const ExplainContext &context, const TracedOperation &operation, Pass pass) {
    std::vector<Derivation> parts{ring_attention(context, operation.attention, pass)};
    if (value_of(operation.moved.bytes) > 0)
        parts.push_back(
            traffic_seconds(context, {"rotary", "time to rotate queries and keys", time}, operation.moved, pass));
    return sum_of({identifier(operation.name), title_of(operation, pass), time},
                  "attention and rotation run one after another", std::move(parts));
}

Derivation recurrent_seconds(const ExplainContext &context, const RecurrentMixer &mixer,
                             const TracedOperation &operation, Pass pass) {
    const bool forward = pass == Pass::forward;
    const Traced heads =
        model_property<Traced>("model_heads", "value heads", mixer.value_heads) / context.traced_shape.tensor;
    const Traced moved = (forward ? 4 : 6) * operation.output_bytes;
    return by_formula(
        {identifier(operation.name), title_of(operation, pass), time}, "recurrent-mixer", "seconds",
        {microbatch_tokens(context, "tokens"), heads.derivation({"heads", "heads per rank"}, "definition"),
         shape_fact("key_width", "key head dimension", mixer.key_head_dim),
         shape_fact("value_width", "value head dimension", mixer.value_head_dim),
         model_fact({"passes", "number of passes over the state: 1 in the forward pass, 2 in the backward pass"},
                    forward ? 1 : 2, "the forward pass reads the state once; the backward pass reads and updates it"),
         matrix_rate(context, MatrixUnits::half, 1),
         moved.derivation({"moved", "bytes read and written for the projections", Quantity::bytes},
                          "reads and writes of the projections"),
         traffic_factor(context), memory_rate(context), gap(context)});
}

Derivation kernels_of(const ExplainContext &context, const Block &block, const std::vector<TracedOperation> &operations,
                      Pass pass, std::string name) {
    std::vector<Derivation> kernels;
    for (const TracedOperation &operation : operations)
        if (of_pass(operation.seconds, pass) > 0)
            kernels.push_back(operation_seconds(context, &block, operation, pass));
    number_repeats(kernels);
    return sum_of({std::move(name), fmt::format("kernels, {}", pass_titles[static_cast<int>(pass)]), time},
                  "operations of the layer, one after another", std::move(kernels));
}

Derivation launches(const ExplainContext &context, const Block &block) {
    return product_of(
        {"launch_seconds", "host time of a layer's forward kernels", time},
        "launch time on the reference machine, scaled to this machine's CPUs",
        {software_fact({"software_launch_seconds", "host time on the reference machine", time},
                       launch_seconds(context.plan, block),
                       fmt::format("{}: host time for a layer's kernel launches", context.plan.stack.name)),
         context.constant("host_factor", ConstantId::host_time_factor)});
}

/// Time that kernel launches spend waiting for a shared network.
Derivation contended(const ExplainContext &context, std::string name) {
    return by_formula({std::move(name), "time that kernel launches wait for the network", time}, "layer-launches",
                      "contended_seconds",
                      {plan_field({"members", "members of the tensor-parallel group"},
                                  static_cast<double>(context.plan.parallelism.tensor), "/parallelism/tensor"),
                       context.constant("member_seconds", ConstantId::measured_launch_seconds)});
}

Derivation overlapped_launches(const ExplainContext &context, const Block &block) {
    const bool is_contended = context.layers.contended_seconds() > 0;
    if (context.plan.stack.launches_wait)
        return is_contended ? contended(context, "launch_seconds")
                            : software_fact({"launch_seconds", "host time that overlaps with kernels", time}, 0,
                                            "every launch waits for the device");
    if (!is_contended)
        return launches(context, block);
    return sum_of({"launch_seconds", "host time of a layer's forward kernels", time},
                  "launches also wait because pipeline sends leave the node at the same time",
                  {named("undisturbed", launches(context, block)), contended(context, "contended_seconds")});
}

/// Host time during which the device is idle.
std::vector<Derivation> launches_waited_for(const ExplainContext &context, const Block &block) {
    std::vector<Derivation> waits;
    if (const double wait = routing_seconds(context.plan, block); wait > 0)
        waits.push_back(
            product_of({"wait_seconds", "time spent waiting for the experts' token counts", time},
                       "wait time on the reference machine, scaled to this machine's CPUs",
                       {software_fact({"software_wait_seconds", "wait time on the reference machine", time}, wait,
                                      fmt::format("{}: wait time for a layer's routing", context.plan.stack.name)),
                        context.constant("host_factor", ConstantId::host_time_factor)}));
    if (!context.plan.stack.launches_wait)
        return waits;
    if (waits.empty())
        return {named("wait_seconds", launches(context, block))};
    return {sum_of({"wait_seconds", "host time during which the device is idle", time},
                   "every launch waits for the device",
                   {named("routing", std::move(waits.front())), launches(context, block)})};
}

/// Inputs for the time of a pass: the kernels, and the host time that delays them.
std::vector<Derivation> with_host_time(const ExplainContext &context, const Block &block, Derivation kernels,
                                       Pass pass) {
    const auto of_this_pass = [&](Derivation forward) {
        const Labelled what{forward.name, forward.title + ", scaled to the backward pass", time};
        return pass == Pass::forward ? forward
                                     : by_formula(what, "launch-bound-layer", "backward_launch_seconds",
                                                  {named("launch_seconds", std::move(forward))});
    };
    std::vector<Derivation> parts{std::move(kernels), of_this_pass(overlapped_launches(context, block))};
    for (Derivation &wait : launches_waited_for(context, block))
        parts.push_back(of_this_pass(std::move(wait)));
    return parts;
}

const std::vector<TracedOperation> &operations_of(const ExplainContext &context, std::size_t index) {
    return context.traced_layers[index].operations;
}

Derivation forward_compute(const ExplainContext &context, std::size_t index, std::string name) {
    const Block &block = context.plan.model.blocks[index];
    return by_formula(
        {std::move(name), "forward pass", time}, "launch-bound-layer", "seconds",
        with_host_time(context, block,
                       kernels_of(context, block, operations_of(context, index), Pass::forward, "kernel_seconds"),
                       Pass::forward));
}

/// Host launches lengthen both halves of the backward pass by the same factor.
Derivation backward_compute(const ExplainContext &context, std::size_t index, std::string name) {
    const Block &block = context.plan.model.blocks[index];
    const std::vector<TracedOperation> &operations = operations_of(context, index);
    Derivation kernels =
        sum_of({"kernel_seconds", "kernels, backward", time}, "gradients of inputs and of weights",
               {kernels_of(context, block, operations, Pass::input_gradient, "input_gradient_kernels"),
                kernels_of(context, block, operations, Pass::weight_gradient, "weight_gradient_kernels")});
    return by_formula({std::move(name), "backward pass", time}, "launch-bound-layer", "seconds",
                      with_host_time(context, block, std::move(kernels), Pass::input_gradient));
}

} // namespace

Derivation memory_rate(const ExplainContext &context) {
    return by_formula({"memory_rate", "sustained memory bandwidth", Quantity::bytes_per_second}, "sustained-bandwidth",
                      "memory_rate",
                      {context.accelerator_fact({"bandwidth", "memory bandwidth", Quantity::bytes_per_second},
                                                context.plan.cluster.accelerator.memory_bandwidth_bytes_per_second,
                                                "memory_bandwidth_bytes_per_second"),
                       context.constant("efficiency", ConstantId::memory_bandwidth_efficiency)});
}

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

Derivation operation_seconds(const ExplainContext &context, const Block *block, const TracedOperation &operation,
                             Pass pass) {
    if (operation.multiply.rows > 0)
        return multiply_seconds(context, operation, pass);
    if (operation.attention.heads > 0)
        return attention_seconds(context, operation, pass);
    if (const auto *mixer = block != nullptr ? std::get_if<RecurrentMixer>(&block->mixer) : nullptr;
        mixer != nullptr && operation.module == Module::core_attention)
        return recurrent_seconds(context, *mixer, operation, pass);
    return traffic_seconds(context, {identifier(operation.name), title_of(operation, pass), time}, operation.moved,
                           pass);
}

Derivation layer_compute(const ExplainContext &context, std::size_t index) {
    const Block &block = context.plan.model.blocks[index];
    std::vector<Derivation> passes{forward_compute(context, index, "forward"),
                                   backward_compute(context, index, "backward")};
    const std::string name = name_of_block(context.plan.model, index);
    return sum_of({name, block.name.empty() ? "one layer" : fmt::format("one {} layer", block.name), time},
                  "forward and backward pass of one microbatch", std::move(passes));
}

Derivation pass_compute(const ExplainContext &context, std::size_t index, Pass pass, std::string name) {
    if (pass == Pass::forward)
        return forward_compute(context, index, std::move(name));
    const Derivation backward = backward_compute(context, index, "backward");
    const Derivation *const kernels = backward.find("kernel_seconds");
    const char *const own = pass == Pass::input_gradient ? "input_gradient_kernels" : "weight_gradient_kernels";
    const Derivation part = *kernels->find(own);
    const double value = kernels->value > 0 ? backward.value * part.value / kernels->value : 0;
    return derived({std::move(name), std::string(pass_titles[static_cast<int>(pass)]), time}, value,
                   fmt::format("{} * backward / all_kernels", part.name),
                   "host launches lengthen both halves of the backward pass by the same factor",
                   {part, backward, named("all_kernels", *kernels)});
}

Derivation layer_kernels(const ExplainContext &context, std::size_t index, Pass pass, std::string name) {
    return pass == Pass::forward ? forward_compute(context, index, std::move(name))
                                 : backward_compute(context, index, std::move(name));
}

Derivation layer_again(const ExplainContext &context, const CarriedLayers &layers, std::string name) {
    const Block &block = context.plan.model.blocks[layers.block];
    const std::vector<TracedOperation> &operations = operations_of(context, layers.block);
    if (!layers.recomputed) {
        std::vector<Derivation> again;
        for (const TracedOperation &operation : operations)
            if (const double share = recomputed_fraction(context.plan, operation);
                share > 0 && operation.seconds.forward > 0)
                again.push_back(
                    product_of({identifier(operation.name), std::string(operation.name), time},
                               "forward time multiplied by the recomputed fraction",
                               {named("forward", operation_seconds(context, &block, operation, Pass::forward)),
                                context.stack_fact({"share", "recomputed fraction", Quantity::share}, share,
                                                   context.plan.stack.selective_keeps_qkv ? "selective_keeps_qkv"
                                                                                          : "selective_multiplies")}));
        number_repeats(again);
        return sum_of({std::move(name), "time of a layer's recomputed operations", time},
                      "the operations that the plan recomputes", std::move(again));
    }
    const auto last = std::find_if(operations.rbegin(), operations.rend(), [](const TracedOperation &operation) {
        return operation.module == Module::feed_forward || operation.module == Module::expert;
    });
    Derivation multiply = last != operations.rend()
        ? named("last_multiply_seconds", operation_seconds(context, &block, *last, Pass::forward))
        : model_fact({"last_multiply_seconds", "the layer has no feed-forward GEMM", time}, 0, "the model's shape");
    Derivation kernels =
        by_formula({"kernel_seconds", "recomputed kernels", time}, "recomputed-forward", "seconds",
                   {kernels_of(context, block, operations, Pass::forward, "forward_seconds"), std::move(multiply),
                    context.stack_fact({"early_stop", "fraction of the last matmul that is skipped", Quantity::share},
                                       context.plan.stack.recompute_early_stop, "recompute_early_stop")});
    return by_formula({std::move(name), "time of one layer's recomputed forward pass", time}, "launch-bound-layer",
                      "seconds", with_host_time(context, block, std::move(kernels), Pass::forward));
}

} // namespace meshwright
