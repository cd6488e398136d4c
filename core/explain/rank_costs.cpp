// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/rank_costs.h"

#include "explain/quantity_names.h"
#include "input/stop_scope.h"
#include "layers/flops.h"

#include <fmt/format.h>

#include <numeric>

namespace meshwright {

namespace {

struct ValueOfPart {
    std::string name;
    std::string title;
    Quantity quantity = time;
    const char *source = "";
};

/// Calls `action` with each value of a cost.
template <typename Action>
void for_each_value(BasicLayerCost<Traced> &cost, const Action &action) {
    constexpr const char *backward = "host launches lengthen both halves of the backward pass by the same factor";
    action(cost.forward_seconds, {"forward", "forward pass", time, "operations run one after another"});
    action(cost.input_gradient_seconds, {"input_gradient", "input gradients", time, backward});
    action(cost.weight_gradient_seconds, {"weight_gradient", "weight gradients", time, backward});
    action(cost.recompute_seconds, {"recompute", "recomputation", time, "recomputed before the backward pass"});
    const auto exposed = [&](BasicExposedSeconds<Traced> &seconds, const std::string &name, const std::string &title,
                             const char *source) {
        action(seconds.forward, {name + "_forward", title + ", forward pass", time, source});
        action(seconds.backward, {name + "_backward", title + ", backward pass", time, source});
        action(seconds.recompute, {name + "_recompute", title + ", recomputation", time, source});
    };
    for (auto [seconds, dimension] :
         {std::pair(&cost.tensor, "tensor"), std::pair(&cost.context, "context"), std::pair(&cost.expert, "expert")})
        exposed(*seconds, dimension, fmt::format("exposed {}-parallel communication", dimension),
                "kernel launches hide the rest of the communication");
    exposed(cost.copies, "copies", "wait for activations in host memory", "copies overlap with compute");
    action(cost.saved_bytes,
           {"saved_bytes", "activations saved for backward per microbatch", bytes,
            "sum over the operations, minus recomputed activations"});
    constexpr const char *weights = "sum over the weights as sharded on the rank";
    action(cost.parameters.dense, {"dense", "dense parameters", Quantity::parameters, weights});
    action(cost.parameters.experts, {"experts", "routed-expert parameters", Quantity::parameters, weights});
}

} // namespace

TracedRankCosts::TracedRankCosts(const Plan &plan, const BasicLayerCosts<Traced> &layers, const LayerCosts &plain,
                                 const PipelineCosts &costs)
    : m_plan(plan)
    , m_layers(layers)
    , m_plain(plain)
    , m_costs(costs)
    , m_embedding(labelled({"embedding", "embedding", "embeddings", "embeddings"}, layers.embedding()))
    , m_tied_copy(labelled({"tied_copy", "copy of the tied embedding", "tied_copies", "copies of the tied embedding"},
                           {.parameters = layers.tied_copy()}))
    , m_head(labelled({"head", "final norm and LM head", "heads", "LM heads"}, layers.head()))
    , m_head_again(m_head)
    , m_module(labelled({"mtp_module", "MTP module", "mtp_modules", "MTP modules"}, layers.prediction_module())) {
    m_head_again.cost.parameters = {};
    for (std::size_t r = 0; r < costs.ranks.size(); ++r)
        for (const PartLayers &layers_of_rank : parts_of_stages(plan, plain, costs, costs.ranks[r].stages).layers)
            add_kind(layers_of_rank);
    std::map<ModelParts, BasicLayerCost<Traced>> passed;
    std::map<ModelParts, std::pair<BasicLayerCost<Traced>, Traced>> held;
    for (std::size_t r = 0; r < costs.ranks.size(); ++r) {
        end_if_stopped();
        const ModelParts passes = parts_passed(plan, plain, costs, {r});
        const auto [of_passes, is_new] = passed.try_emplace(passes);
        if (is_new)
            of_passes->second = sum(passes, "that a microbatch passes through");
        m_passed.push_back(of_passes->second);
        const ModelParts parts = parts_of_stages(plan, plain, costs, costs.ranks[r].stages);
        const auto [of_parts, is_other] = held.try_emplace(parts);
        if (is_other)
            of_parts->second = {sum(parts, "on the rank"), largest_unit(parts)};
        m_held.push_back(of_parts->second.first);
        m_sharded_units.push_back(of_parts->second.second);
    }
}

TracedRankCosts::Part TracedRankCosts::labelled(const Words &words, BasicLayerCost<Traced> cost) {
    for_each_value(cost, [&](Traced &value, const ValueOfPart &what) {
        if (value.value() == 0) {
            value = 0;
            return;
        }
        const std::string of_part = fmt::format("{}: {}", words.title, what.title);
        const std::string figure = fmt::format("{}_{}", words.name, what.name);
        m_figures.push_back(value.derivation({figure, of_part, what.quantity}, what.source));
        value = Traced(reference_to(figure, {words.name, of_part, what.quantity}, value.value()));
    });
    return {words, std::move(cost)};
}

TracedRankCosts::Words TracedRankCosts::words_of(const PartLayers &layers) const {
    const std::string &block = m_plan.model.blocks[layers.block].name;
    const std::string name = name_of_block(m_plan.model, layers.block);
    const std::string number = block.empty() ? fmt::format(" with block {}", layers.block) : "";
    const std::string kind = block.empty() ? "" : block + " ";
    const char *const again = layers.recomputed ? ", recomputed" : "";
    const char *const again_name = layers.recomputed ? "_recomputed" : "";
    return {name + again_name, fmt::format("{}layer{}{}", kind, number, again), fmt::format("{}s{}", name, again_name),
            fmt::format("{}layers{}{}", kind, number, again)};
}

void TracedRankCosts::add_kind(const PartLayers &layers) {
    const auto [kind, is_new] = m_kinds.try_emplace({layers.block, layers.recomputed});
    const BasicBlockCost<Traced> &cost = m_layers.of_block(layers.block);
    if (is_new)
        kind->second = labelled(words_of(layers), layers.recomputed ? cost.recomputed : cost.stored);
}

BasicLayerCost<Traced> TracedRankCosts::of_others(std::size_t rank) const {
    std::vector<std::size_t> others(m_costs.ranks.size());
    std::iota(others.begin(), others.end(), std::size_t{0});
    if (others.size() > 1)
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(rank));
    return sum(parts_passed(m_plan, m_plain, m_costs, others), "that a microbatch passes through on the other ranks");
}

Traced TracedRankCosts::parameters_of_stage(std::int64_t stage) const {
    ModelParts parts = parts_of_stages(m_plan, m_plain, m_costs, {stage});
    parts.tied_copies = 0;
    return sum(parts, "of the virtual stage").parameters.total();
}

BasicLayerCost<Traced> TracedRankCosts::sum(const ModelParts &parts, const char *where) const {
    BasicLayerCost<Traced> all;
    const auto add = [&](const Part &part, double times) {
        if (times > 0)
            all.add(
                part.cost,
                Traced(counted({part.words.count_name, fmt::format("{} {}", part.words.count_title, where), count},
                               times, "layers are assigned to the stages in model order", "/parallelism/pipeline")));
    };
    for (const PartLayers &layers : parts.layers)
        add(m_kinds.at({layers.block, layers.recomputed}), layers.count);
    add(m_embedding, parts.embeddings);
    add(m_tied_copy, parts.tied_copies);
    add(m_head, parts.heads);
    add(m_module, parts.modules);
    add(m_head_again, parts.modules);
    for_each_value(all, [](Traced &value, const ValueOfPart &what) {
        value = value.value() == 0
            ? Traced(0)
            : label(value,
                    {what.name, what.title, what.quantity, "sum over layers, embedding, LM head and MTP modules"});
    });
    return all;
}

Traced TracedRankCosts::largest_unit(const ModelParts &parts) const {
    Traced largest = 0;
    for (const PartLayers &layers : parts.layers) {
        const Part &part = m_kinds.at({layers.block, layers.recomputed});
        const Traced unit = label(
            m_layers.of_block(layers.block).sharded_unit,
            {part.words.name,
             part.words.title + ": parameters of its largest weight, or of all its weights, on one rank before ZeRO",
             Quantity::parameters, "parameters that are gathered or reduced at once"});
        largest = largest.is_plain() ? unit : max(largest, unit);
    }
    return largest;
}

} // namespace meshwright
