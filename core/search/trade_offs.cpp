// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/trade_offs.h"

#include "catalog/library.h"
#include "catalog/weights.h"
#include "input/diagnostic.h"
#include "plan/constraints.h"
#include "plan/plan_json.h"
#include "search/search.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// Total and active experts of the MoE model with which a dense model is compared. Recent open models have similar
/// ratios: Qwen3-30B-A3B 128 with 8 active, DeepSeek-V2 160 with 6, OLMoE 64 with 8.
constexpr std::int64_t usual_experts = 64;
constexpr std::int64_t usual_active_experts = 8;
/// Hidden sizes are multiples of this, so that every usual tensor-parallel degree divides them. Even so, the models'
/// sizes agree within 2%.
constexpr std::int64_t width_step = 32;

struct ModelFamily {
    const char *name;
    const char *stack; ///< preset
    Json allowed; ///< values by field, as in a plan's constraints
};

std::vector<ModelFamily> families() {
    const Json sharded{{"tensor", {1}}, {"pipeline", {1}}, {"chunks", {1}}, {"zero_stage", {3}}};
    return {{"FSDP", "torchtitan-2024", sharded},
            {"DeepSpeed ZeRO-3", "deepspeed-2023", sharded},
            {"Megatron", "megatron-core-2025", {{"zero_stage", {0, 1}}}}};
}

/// Constraints for the search of a family: what the family allows, and the plan's limits on headroom and on tensor
/// parallelism across nodes. The plan's other constraints are left out, because they could fix the configuration.
std::string limits_of(const Plan &plan, const Json &allowed, bool any_software) {
    Json document = plan.constraints_json.empty() ? Json::object() : Json::parse(plan.constraints_json);
    Json limits = Json::object();
    if (document.contains("constraints") && document["constraints"].is_object())
        for (const char *key : {"headroom", "headroom_bytes", "tensor_within_node"})
            if (document["constraints"].contains(key))
                limits[key] = document["constraints"][key];
    if (!allowed.empty())
        limits["allowed"] = allowed;
    if (any_software)
        limits["any_software"] = true;
    document["constraints"] = limits;
    return document.dump();
}

/// The best configuration that fits within the plan's limits; if none fits, the fastest one.
std::optional<Plan> best_of(const Plan &plan, const Library &library, const std::stop_token &stop, double seconds) {
    SearchOptions options{.wanted = {.top = 1, .pareto = false}};
    options.stop = stop;
    options.time_limit_seconds = seconds;
    for (const bool any_size : {false, true}) {
        options.any_size = any_size;
        const SearchResult found = search(plan, library, options);
        if (!found.results.empty())
            return found.results.front().plan;
    }
    return std::nullopt;
}

TradeOffPlans sharding_plans(const Plan &plan, const Library &library, const std::stop_token &stop, double seconds) {
    TradeOffPlans all;
    for (const ModelFamily &family : families()) {
        if (stop.stop_requested())
            return all;
        Plan start = plan;
        start.stack = *library.stack(family.stack);
        start.stack_id = family.stack;
        start.constraints_json = limits_of(plan, family.allowed, plan.outer.method != OuterMethod::none);
        std::optional<Plan> best = best_of(start, library, stop, seconds);
        if (!best) {
            all.notes.push_back(
                fmt::format("{}: no configuration of this model and batch runs on this cluster with {}.", family.name,
                            start.stack.name));
            continue;
        }
        best->name = family.name;
        best->constraints_json = plan.constraints_json;
        all.plans.push_back({.name = family.name, .plan = std::move(*best)});
    }
    all.notes.emplace_back(
        "Each bar is the fastest configuration of its kind that fits, with the plan's model, cluster, batch and "
        "precision. "
        "FSDP and ZeRO-3 shard parameters over all data-parallel ranks; Megatron may use every kind of parallelism.");
    return all;
}

TradeOffPlans precision_plans(const Plan &plan) {
    const Accelerator &accelerator = plan.cluster.accelerator;
    if (!accelerator.supports(DataType::fp8))
        throw InputError("/cluster/accelerator", fmt::format("{} has no FP8 matrix units", accelerator.name),
                         "expected an accelerator with FP8, such as H100");
    TradeOffPlans all;
    for (const auto &[name, type] : {std::pair{"BF16", DataType::bf16}, std::pair{"FP8", DataType::fp8}}) {
        Plan changed = plan;
        changed.precision.compute = type;
        if (changed.precision == plan.precision)
            continue;
        changed.name = name;
        all.plans.push_back({.name = name, .plan = std::move(changed)});
    }
    all.notes.emplace_back("Only the number format of GEMMs differs; everything else is as in the plan.");
    return all;
}

TradeOffPlans sparsity_plans(const Plan &plan, const Library &library, const std::stop_token &stop, double seconds) {
    Plan start = plan;
    start.model = equal_loss_model(plan.model);
    start.model_id.clear();
    const bool is_dense = parameters_of(plan.model).routed_experts == 0;
    start.parallelism.expert = 1;
    start.parallelism.expert_tensor = 1;
    start.parallelism.data =
        plan.site_accelerators() / (start.parallelism.tensor * start.parallelism.context * start.parallelism.pipeline);
    start.published = {};
    TradeOffPlans all;
    std::optional<Plan> best;
    for (const bool any_software : {false, true})
        if (!best) {
            start.constraints_json = limits_of(plan, Json::object(), any_software);
            best = best_of(start, library, stop, seconds);
        }
    const char *const name = is_dense ? "MoE, equal loss" : "Dense, equal loss";
    if (best) {
        best->name = name;
        best->constraints_json = plan.constraints_json;
        all.plans.push_back({.name = name, .plan = std::move(*best)});
    } else {
        all.notes.push_back(fmt::format("{}: no configuration runs on this cluster.", name));
    }
    all.notes.emplace_back("Assumes that, after the same number of tokens, a mixture of experts reaches the loss of a "
                           "dense model whose size is the geometric mean of its total and active parameters. This is a "
                           "rule of thumb, because no published law covers these sizes.");
    return all;
}

/// Sets the hidden size of all feed-forward networks or of all experts.
void set_width(Model &model, std::int64_t width) {
    for (Block &block : model.blocks) {
        if (auto *const dense = std::get_if<FeedForward>(&block.transform))
            dense->hidden = width;
        if (auto *const experts = std::get_if<Experts>(&block.transform))
            experts->hidden = width;
    }
}

} // namespace

double dense_equivalent_parameters(const Model &model) {
    const Parameters parameters = parameters_of(model);
    return std::sqrt(parameters.total * parameters.active);
}

Model equal_loss_model(const Model &model) {
    const bool is_dense = parameters_of(model).routed_experts == 0;
    Model other = model;
    bool changed = false;
    for (Block &block : other.blocks) {
        const auto *const dense = std::get_if<FeedForward>(&block.transform);
        const auto *const experts = std::get_if<Experts>(&block.transform);
        changed = changed || dense != nullptr || experts != nullptr;
        if (is_dense && dense != nullptr)
            block.transform = Experts{.experts = usual_experts,
                                      .experts_per_token = usual_active_experts,
                                      .hidden = width_step,
                                      .gated = dense->gated,
                                      .bias = dense->bias};
        if (!is_dense && experts != nullptr)
            block.transform = FeedForward{.hidden = width_step, .gated = experts->gated, .bias = experts->bias};
    }
    if (!changed)
        throw InputError("/model", fmt::format("{} has no feed-forward layers", model.name),
                         "expected a model with feed-forward layers or experts");
    other.id.clear();
    other.published = {};
    other.name = is_dense
        ? fmt::format("{} as MoE ({} experts, {} active)", model.name, usual_experts, usual_active_experts)
        : fmt::format("{} as a dense model", model.name);
    const double wanted = dense_equivalent_parameters(model);
    // The number of parameters grows with the hidden size, so the nearest hidden size is found by bisection.
    std::int64_t low = 1;
    std::int64_t high = 1 << 16;
    while (low < high) {
        const std::int64_t middle = (low + high) / 2;
        set_width(other, middle * width_step);
        if (dense_equivalent_parameters(other) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    set_width(other, low * width_step);
    const double above = dense_equivalent_parameters(other);
    if (low > 1) {
        set_width(other, (low - 1) * width_step);
        if (above - wanted < wanted - dense_equivalent_parameters(other))
            set_width(other, low * width_step);
    }
    return other;
}

TradeOffPlans trade_off_plans(TradeOff which, const Plan &plan, const Library &library, const std::stop_token &stop,
                              double seconds) {
    switch (which) {
    case TradeOff::sharding:
        return sharding_plans(plan, library, stop, seconds);
    case TradeOff::precision:
        return precision_plans(plan);
    case TradeOff::sparsity:
        break;
    }
    return sparsity_plans(plan, library, stop, seconds);
}

} // namespace meshwright
