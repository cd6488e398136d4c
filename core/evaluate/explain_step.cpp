// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_context.h"
#include "layers/operations.h"

#include <fmt/format.h>

#include <map>

namespace meshwright {

namespace {

constexpr Quantity time = Quantity::seconds;

enum class Pass { forward, input_gradient, weight_gradient };
constexpr std::string_view pass_names[] = {"forward", "input_gradient", "weight_gradient"};
constexpr std::string_view pass_titles[] = {"forward", "input gradient", "weight gradient"};

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

/// Roofline of one matrix multiply: 2 x rows x columns x depth operations at the sustained rate, or its bytes at the
/// memory's, whichever lasts longer.
Derivation multiply_seconds(const ExplainContext &context, const LayerOperation &operation, Pass pass) {
    const Device &device = context.layers.device();
    const MultiplyShape &shape = operation.multiply;
    const double seconds = of_pass(operation.seconds, pass);
    const double rate = device.flops_per_second(shape.units, shape.groups);
    const double flop_seconds = 2 * shape.rows * shape.columns * shape.depth / rate;
    const bool bound_by_memory = seconds - device.kernel_gap_seconds() > flop_seconds * (1 + 1e-12);
    std::vector<Derivation> inputs{
        model_fact({"rows", "rows: tokens of a microbatch on a rank"}, shape.rows, "batch and parallelism"),
        model_fact({"columns", "columns: outputs on a rank"}, shape.columns,
                   "the weight's shape over tensor parallelism"),
        model_fact({"depth", "depth: inputs on a rank"}, shape.depth, "the weight's shape over tensor parallelism"),
        hardware_fact({"rate", "sustained matrix rate", Quantity::flops_per_second}, rate,
                      "dense peak x sustained share of the constants x the stack's factor", "/cluster/accelerator"),
        hardware_fact({"gap", "gap between kernels", time}, device.kernel_gap_seconds(), "constant kernel-gap")};
    Labelled what{identifier(operation.name), operation.name + ", " + std::string(pass_titles[static_cast<int>(pass)]),
                  time};
    if (!bound_by_memory)
        return derived(std::move(what), seconds, "2 * rows * columns * depth / rate + gap",
                       "roofline: Williams et al. 2009, doi 10.1145/1498765.1498785", std::move(inputs));
    inputs.push_back(hardware_fact({"memory_rate", "sustained memory bandwidth", Quantity::bytes_per_second},
                                   device.memory_bytes_per_second(), "bandwidth x memory-bandwidth-efficiency",
                                   "/cluster/accelerator"));
    inputs.push_back(model_fact({"moved", "bytes moved", Quantity::bytes},
                                (seconds - device.kernel_gap_seconds()) * device.memory_bytes_per_second(),
                                "inputs, weights and outputs of the multiply"));
    return derived(std::move(what), seconds, "max(2 * rows * columns * depth / rate, moved / memory_rate) + gap",
                   "roofline: Williams et al. 2009, doi 10.1145/1498765.1498785", std::move(inputs));
}

Derivation operation_seconds(const ExplainContext &context, const LayerOperation &operation, Pass pass) {
    if (operation.multiply.rows > 0)
        return multiply_seconds(context, operation, pass);
    const bool attention = operation.name == "attention.core";
    return model_fact(
        {identifier(operation.name), operation.name + ", " + std::string(pass_titles[static_cast<int>(pass)]), time},
        of_pass(operation.seconds, pass),
        attention ? "published rate of the stack's attention kernel at this sequence and head size"
                  : "bytes moved over the sustained memory bandwidth");
}

/// Names must not repeat among a node's inputs.
void number_repeats(std::vector<Derivation> &nodes) {
    std::map<std::string, int> seen;
    for (Derivation &node : nodes)
        if (const int times = ++seen[node.name]; times > 1)
            node.name += fmt::format("_{}", times);
}

/// One pass of one layer: its kernels, or the host that launches them where that lasts longer.
Derivation layer_pass(const ExplainContext &context, const std::vector<LayerOperation> &operations, double seconds,
                      Pass pass) {
    std::vector<Derivation> kernels;
    for (const LayerOperation &operation : operations)
        if (of_pass(operation.seconds, pass) > 0)
            kernels.push_back(operation_seconds(context, operation, pass));
    number_repeats(kernels);
    Derivation sum = sum_of({"kernels", "kernels of the layer", time}, "operations of the layer one after another",
                            std::move(kernels));
    const std::string name(pass_names[static_cast<int>(pass)]);
    const std::string title(pass_titles[static_cast<int>(pass)]);
    const double waits = seconds - sum.value;
    std::vector<Derivation> inputs;
    inputs.push_back(std::move(sum));
    inputs.push_back(software_fact({"host", "waiting for the host's launches", time}, waits,
                                   "smooth maximum of kernel time and the stack's launch time a layer"));
    return derived({name, title, time}, seconds, "kernels + host", "kernels bound by launches where those last longer",
                   std::move(inputs));
}

Derivation block_compute(const ExplainContext &context, std::size_t index, const LayerCost &cost) {
    const Block &block = context.plan.model.blocks[index];
    const std::vector<LayerOperation> operations =
        layer_operations(context.plan.model, block, context.layers.shape(), context.layers.device(), context.plan);
    std::vector<Derivation> passes;
    for (const Pass pass : {Pass::forward, Pass::input_gradient, Pass::weight_gradient})
        passes.push_back(layer_pass(context, operations, of_pass(cost, pass), pass));
    const std::string name = block.name.empty() ? fmt::format("block_{}", index) : identifier(block.name);
    return sum_of({name + "_layer", block.name.empty() ? "one layer" : "one " + block.name + " layer", time},
                  "forward and backward pass of one microbatch", std::move(passes));
}

/// Layers of each kind on the busiest rank.
std::map<std::size_t, double> layers_of_busiest(const ExplainContext &context) {
    std::vector<std::size_t> order;
    for (const LayerRun &run : context.plan.model.layers)
        order.insert(order.end(), static_cast<std::size_t>(run.count), static_cast<std::size_t>(run.block));
    std::map<std::size_t, double> counts;
    for (const std::int64_t s : context.costs.ranks[context.step.rank].stages) {
        const StageCost &stage = context.costs.stages[static_cast<std::size_t>(s)];
        for (std::int64_t i = 0; i < stage.layers; ++i)
            counts[order[static_cast<std::size_t>(stage.first_layer + i)]] += 1;
    }
    return counts;
}

/// What one microbatch computes on the busiest rank.
Derivation microbatch_compute(const ExplainContext &context) {
    const RankCost &rank = context.costs.ranks[context.step.rank];
    std::vector<Derivation> inputs;
    std::string formula;
    double explained = 0;
    const double directions = context.plan.parallelism.schedule == Schedule::dualpipe
            || context.plan.parallelism.schedule == Schedule::chimera
        ? 2
        : 1; // a microbatch passes one of the rank's two stages
    for (const auto &[index, count] : layers_of_busiest(context)) {
        Derivation layer = block_compute(context, index, context.layers.of_block(index).stored);
        Derivation layers = model_fact({layer.name + "s", "how many of them a microbatch passes on the busiest rank"},
                                       count / directions, "layout of layers over stages");
        explained += layer.value * layers.value;
        formula += (formula.empty() ? "" : " + ") + layers.name + " * " + layer.name;
        inputs.push_back(std::move(layers));
        inputs.push_back(std::move(layer));
    }
    inputs.push_back(model_fact({"ends", "embedding, LM head, loss and prediction modules", time},
                                rank.cost.compute_seconds() - explained, "on the ranks that hold them"));
    formula += (formula.empty() ? "" : " + ") + std::string("ends");
    return derived({"microbatch_compute", "compute of one microbatch on the busiest rank", time},
                   rank.cost.compute_seconds(), std::move(formula), "sum over the rank's layers", std::move(inputs));
}

Derivation straggler(const ExplainContext &context) {
    const auto accelerators = static_cast<double>(context.plan.site_accelerators());
    Derivation share = context.constant(ConstantId::straggler_per_doubling);
    const double value = 1 + share.value * std::log2(std::max(1.0, accelerators / 8));
    return derived(
        {"straggler", "waiting for the slowest of many"}, value,
        "1 + straggler_per_doubling * log2(max(1, accelerators / 8))", "loss grows with scale",
        {std::move(share), plan_field({"accelerators", "accelerators of a site"}, accelerators, "/cluster/tiers")});
}

/// A term that each microbatch pays on the busiest rank.
Derivation per_microbatch(const ExplainContext &context, Labelled what, Labelled part, double seconds,
                          std::string source) {
    Derivation one = model_fact(std::move(part), seconds, std::move(source));
    return product_of(std::move(what), "every microbatch pays it", {context.microbatches(), std::move(one)});
}

Derivation bubble(const ExplainContext &context) {
    const PipelineShape &shape = context.shape;
    std::vector<Derivation> inputs{
        plan_field({"stages", "pipeline stages"}, static_cast<double>(shape.stages), "/parallelism/pipeline"),
        model_fact({"forward", "forward pass of one microbatch on the other ranks, mean", time}, shape.forward,
                   "their layers"),
        model_fact({"backward", "backward pass of it", time}, shape.input_gradient + shape.weight_gradient,
                   "their layers")};
    const Labelled what{"step_bubble_seconds", "pipeline bubble", time};
    switch (context.plan.parallelism.schedule) {
    case Schedule::gpipe:
    case Schedule::one_f_one_b:
        return derived(what, context.step.bubble, "(stages - 1) * (forward + backward)",
                       "Narayanan et al. 2021, arXiv 2104.04473, section 2.2", std::move(inputs));
    case Schedule::interleaved:
    case Schedule::looped_bfs:
    case Schedule::seq1f1b:
        inputs.push_back(
            plan_field({"chunks", "chunks a rank"}, static_cast<double>(shape.chunks), "/parallelism/chunks"));
        return derived(what, context.step.bubble, "(stages - 1) * (forward + backward) / chunks",
                       "Narayanan et al. 2021, arXiv 2104.04473, section 2.3", std::move(inputs));
    default:
        return model_fact(what, context.step.bubble,
                          fmt::format("closed form of {}", name_of(context.plan.parallelism.schedule)));
    }
}

} // namespace

Derivation ExplainContext::microbatches() const {
    return derived(
        {"microbatches", "microbatches of a step on one data-parallel rank", Quantity::count},
        static_cast<double>(plan.microbatches()), "global_sequences / (data * micro_sequences)", "definition",
        {plan_field({"global_sequences", "sequences of a step"}, static_cast<double>(plan.batch.global_sequences),
                    "/batch/global_sequences"),
         plan_field({"data", "data-parallel ranks"}, static_cast<double>(plan.parallelism.data), "/parallelism/data"),
         plan_field({"micro_sequences", "sequences of a microbatch"}, static_cast<double>(plan.batch.micro_sequences),
                    "/batch/micro_sequences")});
}

std::vector<Derivation> explain_step(const ExplainContext &context) {
    const RankCost &rank = context.costs.ranks[context.step.rank];
    const double per_step = static_cast<double>(context.plan.microbatches());
    std::vector<Derivation> terms;
    terms.push_back(product_of({"step_compute_seconds", "compute", time}, "the busiest rank decides",
                               {context.microbatches(), microbatch_compute(context), straggler(context)}));
    terms.push_back(product_of({"step_recompute_seconds", "recomputation", time}, "the busiest rank decides",
                               {context.microbatches(),
                                model_fact({"microbatch_recompute", "forward work done again a microbatch", time},
                                           rank.cost.recompute_seconds, "recomputation of the plan"),
                                straggler(context)}));
    terms.push_back(bubble(context));
    terms.push_back(per_microbatch(context, {"step_tensor_exposed_seconds", "tensor traffic, exposed", time},
                                   {"microbatch_tensor", "exposed tensor traffic of a microbatch", time},
                                   rank.cost.tensor.total(),
                                   "all-gathers and reduce-scatters of its layers over the tiers, less overlap"));
    terms.push_back(per_microbatch(context, {"step_context_exposed_seconds", "context traffic, exposed", time},
                                   {"microbatch_context", "exposed context traffic of a microbatch", time},
                                   rank.cost.context.total(), "keys and values around the ring, less attention"));
    terms.push_back(per_microbatch(context, {"step_expert_exposed_seconds", "expert traffic, exposed", time},
                                   {"microbatch_expert", "exposed expert traffic of a microbatch", time},
                                   context.step.expert / per_step, "dispatch and combine, less overlap"));
    terms.push_back(model_fact({"step_pipeline_exposed_seconds", "sends between stages, exposed", time},
                               context.step.pipeline, "hops of the schedule that no order hides"));
    terms.push_back(model_fact({"step_data_exposed_seconds", "data-parallel traffic, exposed", time}, context.step.data,
                               "gradient reduction and weight gathering beside the last microbatch"));
    terms.push_back(model_fact({"step_optimizer_seconds", "optimizer", time}, context.step.optimizer,
                               "bytes of the update over the memory bandwidth, and the stack's time a step"));
    Derivation step = sum_of({"step_seconds", "time of one step", time}, "the terms add up", std::move(terms));
    return {std::move(step)};
}

} // namespace meshwright
