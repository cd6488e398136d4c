// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan.h"

#include "catalog/weights.h"

#include <algorithm>

namespace meshwright {

namespace {
using Names = std::vector<std::string>;
}

const Names &dimension_names() {
    static const Names names{"tensor", "context", "expert", "pipeline", "data"};
    return names;
}

const Names &recompute_mode_names() {
    static const Names names{"none", "selective", "full", "layers", "modules"};
    return names;
}

const Names &recompute_module_names() {
    static const Names names{"core_attn", "layernorm", "mla_up_proj", "mlp", "moe", "moe_act", "shared_experts"};
    return names;
}

const Names &optimizer_names() {
    static const Names names{"adamw", "adam-8bit", "muon", "adafactor", "sgd"};
    return names;
}

const Names &outer_method_names() {
    static const Names names{"none", "data-parallel", "diloco", "streaming-diloco"};
    return names;
}

const Names &index_encoding_names() {
    static const Names names{"none", "bitmap", "entropy", "fixed-width", "raw"};
    return names;
}

const Names &fragment_pattern_names() {
    static const Names names{"even", "sequential", "strided"};
    return names;
}

const Names &late_update_names() {
    static const Names names{"wait", "go-on"};
    return names;
}

const Names &release_names() {
    static const Names names{"step", "backward"};
    return names;
}

const Names &topology_names() {
    static const Names names{"star", "ring", "butterfly", "all-gather", "tree", "gossip"};
    return names;
}

const Names &arrangement_names() {
    static const Names names{"sharded", "replicated"};
    return names;
}

const Names &late_weight_names() {
    static const Names names{"geometric", "inverse"};
    return names;
}

namespace {

/// Layers per stage such that stages have about equal matrix weights (nanotron's rule): a stage ends with the layer
/// that takes it past its equal share, and the LM head is on the last stage.
std::vector<std::int64_t> balanced_layers(const Model &model, std::int64_t stages) {
    std::vector<double> weights;
    for (const Block &block : model.blocks) {
        weights.push_back(0);
        for (const Weight &weight : weights_of(model, block))
            weights.back() += static_cast<double>(weight.parameters * weight.copies);
    }
    double total = static_cast<double>(model.vocabulary) * static_cast<double>(model.hidden);
    for (const LayerRun &run : model.layers)
        total += weights[static_cast<std::size_t>(run.block)] * static_cast<double>(run.count);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(stages), 0);
    double sum = 0;
    std::size_t stage = 0;
    for (const LayerRun &run : model.layers)
        for (std::int64_t i = 0; i < run.count; ++i) {
            ++counts[stage];
            sum += weights[static_cast<std::size_t>(run.block)];
            const bool is_over = sum > total * static_cast<double>(stage + 1) / static_cast<double>(stages);
            stage += is_over && stage + 1 < counts.size() ? 1 : 0;
        }
    return counts;
}

} // namespace

Plan::Plan() = default;
Plan::Plan(const Plan &plan) = default;
Plan::Plan(Plan &&plan) noexcept = default;
Plan &Plan::operator=(const Plan &plan) = default;
Plan &Plan::operator=(Plan &&plan) noexcept = default;
Plan::~Plan() = default;
bool Plan::operator==(const Plan &plan) const = default;

std::map<std::string, double> Plan::own_assumptions() const {
    std::map<std::string, double> own = assumptions;
    for (const auto &[constant, value] : measured_constants(cluster))
        if (const auto found = own.find(constant); found != own.end() && found->second == value)
            own.erase(found);
    return own;
}

std::vector<std::int64_t> stage_layers(const Plan &plan) {
    if (!plan.parallelism.layout.empty())
        return plan.parallelism.layout;
    if (plan.stack.balances_stages && plan.virtual_stages() > 1)
        return balanced_layers(plan.model, plan.virtual_stages());
    const std::int64_t stages = std::max<std::int64_t>(1, plan.virtual_stages());
    const std::int64_t layers = plan.model.layer_count();
    std::vector<std::int64_t> counts(static_cast<std::size_t>(stages), layers / stages);
    // The last stage also has the LM head and the first the embedding, so the remainder goes to the stages between
    // them.
    const std::int64_t left = layers % stages;
    const std::int64_t first = left < stages - 1 ? 1 : 0;
    for (std::int64_t i = 0; i < left; ++i)
        ++counts[static_cast<std::size_t>(first + i)];
    return counts;
}

} // namespace meshwright
