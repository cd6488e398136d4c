// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/shapes.h"

#include "explain/layers.h"
#include "explain/layout.h"
#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

/// Builds a sum in which each term is a count times the value of one item.
class CountedSum {
public:
    void add(Derivation times, Derivation one) {
        m_formula += fmt::format("{}{} * {}", m_formula.empty() ? "" : " + ", times.name, one.name);
        m_value += times.value * one.value;
        m_inputs.push_back(std::move(times));
        m_inputs.push_back(std::move(one));
    }
    bool empty() const { return m_inputs.empty(); }
    Derivation take(Labelled what, std::string source) {
        return derived(std::move(what), m_value, std::move(m_formula), std::move(source), std::move(m_inputs));
    }

private:
    std::string m_formula;
    double m_value = 0;
    std::vector<Derivation> m_inputs;
};

Derivation how_many(std::string name, std::string title, double value, std::string pointer) {
    return counted({std::move(name), std::move(title), count}, value,
                   "layers are assigned to the stages in model order", std::move(pointer));
}

bool is_routed(const Weight &weight) {
    return weight.kind == WeightKind::routed_expert;
}

std::vector<Derivation> weights_on_rank(const ExplainContext &context, const std::vector<Weight> &weights,
                                        bool routed) {
    std::vector<Derivation> held;
    for (const Weight &weight : weights)
        if (is_routed(weight) == routed)
            held.push_back(
                parameters_per_rank(weight, context.traced_shape).derivation({identifier(weight.name), {}}, {}));
    number_repeats(held);
    return held;
}

void add_weights(CountedSum &sum, const ExplainContext &context, double times, const std::string &name,
                 const char *title, const std::vector<Weight> &weights, bool routed) {
    std::vector<Derivation> held = weights_on_rank(context, weights, routed);
    if (times > 0 && !held.empty())
        sum.add(how_many(name + "s", "number of instances on the rank", times, "/parallelism/pipeline"),
                sum_of({name, title, Quantity::parameters}, "sum over the weights as sharded on the rank",
                       std::move(held)));
}

} // namespace

Derivation microbatch_tokens(const ExplainContext &context, std::string name) {
    return context.traced_shape.tokens.derivation({std::move(name), {}}, {});
}

Derivation hidden_bytes(const ExplainContext &context, std::string name) {
    return hidden_state_bytes(context.traced_shape, context.plan.model).derivation({std::move(name), {}}, {});
}

Derivation saved_by_layer(const ExplainContext &context, const CarriedLayers &layers, Labelled what) {
    const BasicBlockMemory<Traced> &memory = context.traced_kernels.blocks[layers.block].memory;
    return (layers.recomputed ? memory.recomputed_bytes : memory.stored_bytes)
        .derivation(std::move(what), "sum over the layer's operations, minus recomputed activations");
}

Derivation whole_unit(const ExplainContext &context, std::size_t block, std::string name) {
    const Model &model = context.plan.model;
    Traced largest = 0;
    Traced all = 0;
    for (const Weight &weight : weights_of(model, model.blocks[block])) {
        const Traced held = parameters_per_rank(weight, context.traced_shape);
        all += held;
        if (held > largest)
            largest = held;
    }
    const Labelled what{std::move(name),
                        context.plan.stack.shards_by_weight
                            ? "largest weight of one layer, divided by tensor and expert parallelism"
                            : "weights of one layer, divided by tensor and expert parallelism",
                        Quantity::parameters};
    return context.plan.stack.shards_by_weight ? largest.derivation(what, "weights are gathered one by one")
                                               : all.derivation(what, "sum over the layer's weights");
}

std::vector<CarriedLayers> layers_of_rank(const ExplainContext &context, const std::vector<std::int64_t> &stages) {
    std::map<std::pair<std::size_t, bool>, double> counts;
    for (const std::int64_t s : stages)
        for (const StageLayer &layer :
             layers_of_stage(context.plan, context.layers, context.costs.stages[static_cast<std::size_t>(s)]))
            counts[{layer.block, layer.cost == &context.layers.of_block(layer.block).recomputed}] += 1;
    std::vector<CarriedLayers> layers;
    for (const auto &[kind, number] : counts)
        layers.push_back({kind.first, kind.second, number});
    return layers;
}

const LayerCost &cost_of(const ExplainContext &context, const CarriedLayers &layers) {
    const BlockCost &block = context.layers.of_block(layers.block);
    return layers.recomputed ? block.recomputed : block.stored;
}

std::string name_of_layers(const ExplainContext &context, const CarriedLayers &layers) {
    return name_of_block(context.plan.model, layers.block) + (layers.recomputed ? "_recomputed" : "");
}

std::string title_of_layers(const ExplainContext &context, const CarriedLayers &layers) {
    const std::string &name = context.plan.model.blocks[layers.block].name;
    return (name.empty() ? fmt::format("layer with block {}", layers.block) : name + " layer")
        + (layers.recomputed ? ", recomputed" : "");
}

Derivation rank_parameters_of(const ExplainContext &context, const RankCost &rank, std::string name, bool routed) {
    const Model &model = context.plan.model;
    CountedSum sum;
    bool embedding = false;
    bool head = false;
    for (const std::int64_t s : rank.stages) {
        const StageCost &stage = context.costs.stages[static_cast<std::size_t>(s)];
        embedding = embedding || stage.holds_embedding;
        head = head || stage.holds_head;
    }
    std::map<std::size_t, double> blocks;
    for (const CarriedLayers &layers : layers_of_rank(context, rank.stages))
        blocks[layers.block] += layers.count;
    for (const auto &[block, number] : blocks)
        add_weights(sum, context, number, name_of_block(model, block), "one layer of this kind",
                    weights_of(model, model.blocks[block]), routed);
    add_weights(sum, context, embedding ? 1 : 0, "embedding", "embedding", input_weights(model), routed);
    add_weights(sum, context, model.tied_embeddings && head && !embedding ? 1 : 0, "tied_copy",
                "copy of the tied embedding", tied_copy_weights(model), routed);
    add_weights(sum, context, head ? 1 : 0, "head", "final norm and LM head", output_weights(model), routed);
    add_weights(sum, context, head ? static_cast<double>(model.mtp_layers) : 0, "prediction_module", "one MTP module",
                prediction_module_weights(model), routed);
    const Labelled what{std::move(name),
                        routed ? "routed-expert parameters of the rank" : "dense parameters of the rank",
                        Quantity::parameters};
    return sum.empty() ? model_fact(what, 0, "the rank holds no parameters of this kind")
                       : sum.take(what, "sum over the rank's layers");
}

Derivation saved_bytes_of(const ExplainContext &context, const RankCost &rank, std::string name) {
    const Plan &plan = context.plan;
    CountedSum sum;
    const auto add = [&](const std::string &what, double times, Derivation one) {
        if (times > 0 && one.value > 0)
            sum.add(how_many(what + "s", "number of instances on the rank", times, "/recompute"), std::move(one));
    };
    const auto saved_by = [](const BasicLayerCost<Traced> &cost, Labelled what) {
        return cost.saved_bytes.derivation(std::move(what), "sum over the operations of this part");
    };
    for (const CarriedLayers &layers : layers_of_rank(context, rank.stages)) {
        const std::string of = name_of_layers(context, layers);
        add(of, layers.count,
            saved_by_layer(
                context, layers,
                {of, layers.recomputed ? "input saved by one recomputed layer" : "activations saved by one layer",
                 Quantity::bytes}));
    }
    for (const std::int64_t s : rank.stages) {
        const StageCost &stage = context.costs.stages[static_cast<std::size_t>(s)];
        const auto modules = static_cast<double>(plan.model.mtp_layers);
        if (stage.holds_embedding)
            add("embedding", 1,
                saved_by(context.traced_kernels.embedding, {"embedding", "embedding", Quantity::bytes}));
        if (!stage.holds_head)
            continue;
        add("head", 1 + modules,
            saved_by(context.traced_kernels.head,
                     {"head", "final norm and LM head, without the logits", Quantity::bytes}));
        if (modules > 0)
            add("prediction_module", modules,
                saved_by_layer(context, module_layers(context),
                               {"prediction_module", "one MTP module", Quantity::bytes}));
    }
    return sum.take(
        {std::move(name), "bytes saved for backward per microbatch by all layers of the rank", Quantity::bytes},
        "sum over the rank's layers");
}

} // namespace meshwright
