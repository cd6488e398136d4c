// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_shapes.h"

#include "evaluate/explain_layout.h"
#include "evaluate/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

/// Sums of a number times the value of one.
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
    return counted({std::move(name), std::move(title), count}, value, "its layers in model order over the stages",
                   std::move(pointer));
}

bool is_routed(const Weight &weight) {
    return weight.kind == WeightKind::routed_expert;
}

/// Outputs of a column-parallel matrix: indivisible groups (key and value heads) are copied where there are more ranks
/// than groups.
Derivation outputs_on_rank(const ExplainContext &context, const Weight &weight) {
    const RankShape &shape = context.layers.shape();
    const double ways = is_routed(weight) ? shape.expert_tensor : shape.tensor;
    const Labelled what{"outputs_on_rank", "outputs per rank", count};
    std::vector<Derivation> inputs{shape_fact("outputs", "outputs of the matrix", weight.outputs),
                                   named("ways", degree(context, is_routed(weight) ? "expert_tensor" : "tensor"))};
    if (weight.groups == 0)
        return derived(what, outputs_per_rank(weight, ways), "outputs / ways", "definition", std::move(inputs));
    inputs.push_back(shape_fact("groups", "indivisible groups", weight.groups));
    inputs.push_back(shape_fact("grouped", "outputs in these groups",
                                weight.grouped_outputs > 0 ? weight.grouped_outputs : weight.outputs));
    return derived(what, outputs_per_rank(weight, ways), "(outputs - grouped) / ways + grouped / min(ways, groups)",
                   "grouped-query attention, arXiv 2305.13245", std::move(inputs));
}

/// One weight on one rank: its elements over the ranks that split it, times the copies on the rank.
Derivation weight_on_rank(const ExplainContext &context, const Weight &weight) {
    const double held = parameters_per_rank(weight, context.layers.shape());
    const auto parameters = static_cast<double>(weight.parameters);
    const auto copies = static_cast<double>(weight.copies);
    Derivation whole =
        model_fact({"weights", "parameters of one copy", Quantity::parameters}, parameters, "the model's shape");
    Derivation of = model_fact({"copies", "copies per layer", count}, copies, "the model's shape");
    std::vector<Derivation> inputs{std::move(whole), std::move(of)};
    std::string formula = "weights * copies";
    if (weight.split == Split::column && weight.outputs > 0) {
        inputs.push_back(outputs_on_rank(context, weight));
        inputs.push_back(shape_fact("outputs", "outputs of the matrix", weight.outputs));
        formula += " * outputs_on_rank / outputs";
    } else if (weight.split == Split::row && weight.bias > 0) {
        inputs.push_back(named("ways", degree(context, is_routed(weight) ? "expert_tensor" : "tensor")));
        inputs.push_back(model_fact({"bias", "its bias, complete on every rank", Quantity::parameters},
                                    static_cast<double>(weight.bias), "the model's shape"));
        formula = "((weights - bias) / ways + bias) * copies";
    } else if (weight.split != Split::replicated) {
        inputs.push_back(named("ways", degree(context, is_routed(weight) ? "expert_tensor" : "tensor")));
        formula += " / ways";
    }
    if (is_routed(weight)) {
        inputs.push_back(degree(context, "expert"));
        formula += " / expert";
    }
    return derived({identifier(weight.name), std::string(weight.name), Quantity::parameters}, held, std::move(formula),
                   "Megatron-LM, arXiv 1909.08053, section 3; indivisible groups of outputs are copied",
                   std::move(inputs));
}

std::vector<Derivation> weights_on_rank(const ExplainContext &context, const std::vector<Weight> &weights,
                                        bool routed) {
    std::vector<Derivation> held;
    for (const Weight &weight : weights)
        if (is_routed(weight) == routed)
            held.push_back(weight_on_rank(context, weight));
    number_repeats(held);
    return held;
}

void add_weights(CountedSum &sum, const ExplainContext &context, double times, const std::string &name,
                 const char *title, const std::vector<Weight> &weights, bool routed) {
    std::vector<Derivation> held = weights_on_rank(context, weights, routed);
    if (times > 0 && !held.empty())
        sum.add(how_many(name + "s", "number on the rank", times, "/parallelism/pipeline"),
                sum_of({name, title, Quantity::parameters}, "its parameters on the rank", std::move(held)));
}

} // namespace

Derivation microbatch_tokens(const ExplainContext &context, std::string name) {
    const Plan &plan = context.plan;
    return derived({std::move(name), "tokens of a microbatch on the rank", count}, context.layers.shape().tokens,
                   "micro_sequences * sequence / context", "definition",
                   {plan_field({"micro_sequences", "sequences per microbatch", count},
                               static_cast<double>(plan.batch.micro_sequences), "/batch/micro_sequences"),
                    plan_field({"sequence", "tokens per sequence", count},
                               static_cast<double>(plan.batch.sequence_length), "/batch/sequence_length"),
                    plan_field({"context", "context-parallel ranks", count},
                               static_cast<double>(plan.parallelism.context), "/parallelism/context")});
}

Derivation bytes_of_tokens(const ExplainContext &context, Labelled what, double kept, std::string each,
                           const std::string &source) {
    const double tokens = context.layers.shape().tokens;
    Derivation hidden = shape_fact("hidden", "hidden size", context.plan.model.hidden);
    Derivation element = wide_element_bytes(context, "element_bytes");
    const double widths = kept / tokens / (hidden.value * element.value);
    return derived(std::move(what), kept, "tokens * bytes_per_token", source,
                   {microbatch_tokens(context, "tokens"),
                    product_of({"bytes_per_token", std::move(each), Quantity::bytes}, source,
                               {std::move(hidden), std::move(element),
                                model_fact({"widths", "vectors of that size per token on the rank"}, widths,
                                           "counted: the operations' shapes, over the ranks that split them")})});
}

Derivation hidden_bytes(const ExplainContext &context, std::string name) {
    return by_formula({std::move(name), "activations of a microbatch between two layers", Quantity::bytes},
                      "kept-activation", "bytes",
                      {microbatch_tokens(context, "rows"),
                       shape_fact("width", "hidden size", context.plan.model.hidden),
                       wide_element_bytes(context, "element_bytes")});
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
    return sum.empty() ? model_fact(what, 0, "the model has none there") : sum.take(what, "sum over its layers");
}

Derivation saved_bytes_of(const ExplainContext &context, const RankCost &rank, std::string name) {
    constexpr const char *source =
        "Korthikanti and others, arXiv 2205.05198, section 4: saved by its operations, minus what is recomputed";
    CountedSum sum;
    const auto add = [&](const std::string &what, const char *title, double times, double kept) {
        if (times > 0 && kept > 0)
            sum.add(how_many(what + "s", "number on the rank", times, "/recompute"),
                    bytes_of_tokens(context, {what, title, Quantity::bytes}, kept,
                                    "bytes saved per token, on one tensor-parallel rank", source));
    };
    for (const CarriedLayers &layers : layers_of_rank(context, rank.stages)) {
        add(name_of_layers(context, layers),
            layers.recomputed ? "one layer that saves only its input" : "one layer with its activations", layers.count,
            cost_of(context, layers).saved_bytes);
    }
    for (const std::int64_t s : rank.stages) {
        const StageCost &stage = context.costs.stages[static_cast<std::size_t>(s)];
        const auto modules = static_cast<double>(context.plan.model.mtp_layers);
        if (stage.holds_embedding)
            add("embedding", "embedding", 1, context.layers.embedding().saved_bytes);
        if (!stage.holds_head)
            continue;
        add("head", "final norm and LM head, without the logits", 1 + modules, context.layers.head().saved_bytes);
        add("prediction_module", "one MTP module", modules, context.layers.prediction_module().saved_bytes);
    }
    return sum.take({std::move(name), "saved for backward per microbatch by all layers of the rank", Quantity::bytes},
                    "sum over its layers");
}

} // namespace meshwright
