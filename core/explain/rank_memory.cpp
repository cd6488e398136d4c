// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/memory.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

RankExplanation::RankExplanation(const ExplainContext &context, std::size_t rank)
    : m_context(context)
    , m_plan(context.plan)
    , m_stage(context.result.memory.stages[rank])
    , m_rank(context.costs.ranks[rank])
    , m_memory(context.ranks[rank])
    , m_index(rank)
    , m_shards(shard_groups_of(context.plan, context.traced.groups())) { }

std::string RankExplanation::name(const char *kind) const {
    return fmt::format("memory_stages_{}_{}", m_index, kind);
}

Derivation RankExplanation::reference(const char *kind, const char *title, double value) const {
    return reference_to(name(kind), {kind, title, bytes}, value);
}

Derivation RankExplanation::parameters(const char *kind) const {
    const bool dense = std::string_view(kind) == "dense";
    return reference_to(
        name(dense ? "dense_parameters" : "expert_parameters"),
        {kind, dense ? "dense parameters of the rank" : "routed-expert parameters of the rank", Quantity::parameters},
        dense ? m_rank.cost.parameters.dense : m_rank.cost.parameters.experts);
}

Derivation RankExplanation::held_parameters(const char *figure, const char *title,
                                            Traced BasicRankParameters<Traced>::*kind) const {
    return (m_context.rank_costs.held_by(m_index).parameters.*kind)
        .derivation({name(figure), title, Quantity::parameters}, "the rank holds no parameters of this kind");
}

Derivation RankExplanation::stage_parameters() const {
    return sum_of({name("parameters"), "parameters on one accelerator, before ZeRO sharding", Quantity::parameters},
                  "definition", {parameters("dense"), parameters("experts")});
}

BasicStateBytes<Traced> RankExplanation::states() const {
    return rank_state_bytes<Traced>(m_plan, m_shards,
                                    {.dense = Traced(parameters("dense")), .experts = Traced(parameters("experts"))});
}

Derivation RankExplanation::state(Labelled what, const Traced &bytes_on_rank) const {
    return bytes_on_rank.derivation(std::move(what),
                                    "dense weights and routed experts are sharded over different ranks");
}

/// Software that frees gradients between steps has none allocated before the first backward pass.
Derivation RankExplanation::gradients() const {
    const Labelled what{name("gradients_bytes"), "gradients", bytes};
    const Traced whole = states().gradients;
    const double missing = whole.value() - m_memory.gradients_bytes;
    if (missing == 0)
        return state(what, whole);
    return derived(what, m_memory.gradients_bytes, "whole - missing",
                   "a stage's gradients are allocated in its first backward pass",
                   {state({"whole", "gradients of the rank", bytes}, whole),
                    executed({"missing", "gradients that are not yet allocated at the memory peak", bytes}, missing)});
}

bool RankExplanation::holds_head() const {
    return std::any_of(m_rank.stages.begin(), m_rank.stages.end(),
                       [&](std::int64_t s) { return m_context.costs.stages[static_cast<std::size_t>(s)].holds_head; });
}

Derivation RankExplanation::host(Labelled what) const {
    std::vector<Derivation> inputs;
    if (m_plan.offload.optimizer > 0)
        inputs.push_back(
            product_of({"optimizer", "optimizer states in host memory", bytes}, "definition",
                       {plan_field({"share", "fraction of optimizer states in host memory", Quantity::share},
                                   m_plan.offload.optimizer, "/offload/optimizer"),
                        sum_of({"states", "optimizer states of the rank", bytes}, "definition",
                               {state({"master", "master weights", bytes}, states().master),
                                state({"moments", "moments", bytes}, states().moments)})}));
    if (m_plan.offload.activations > 0)
        inputs.push_back(in_flight_bytes(live(false), m_context.assumed, offloaded_share<Traced>(m_plan))
                             .derivation({"activations", "activations in host memory", bytes}, {}));
    const OuterMethod method = m_plan.outer.method;
    if (method != OuterMethod::none && method != OuterMethod::data_parallel && offloads_outer(m_plan))
        inputs.push_back(outer_state().state.derivation({"outer", "outer state", bytes}, {}));
    return sum_of(std::move(what), "offloaded bytes of the rank that offloads the most", std::move(inputs));
}

std::vector<Derivation> RankExplanation::figures() const {
    std::vector<Derivation> figures{
        stage_parameters(),
        held_parameters("dense_parameters", "dense parameters of the rank", &BasicRankParameters<Traced>::dense),
        held_parameters("expert_parameters", "routed-expert parameters of the rank",
                        &BasicRankParameters<Traced>::experts)};
    figures.push_back(
        sum_of({name("total_bytes"),
                fmt::format("memory of stage {} at its peak ({})", m_index, m_stage.peak_operation), bytes},
               "sum over the kinds of memory at the peak",
               {reference("weights_bytes", "weights", m_stage.weights_bytes),
                reference("gradients_bytes", "gradients", m_stage.gradients_bytes),
                reference("optimizer_bytes", "optimizer states", m_stage.optimizer_bytes),
                reference("activations_bytes", "activations", m_stage.activations_bytes),
                reference("logits_bytes", "logits", m_stage.logits_bytes),
                reference("buffers_bytes", "buffers", m_stage.buffers_bytes),
                reference("outer_bytes", "outer state", m_stage.outer_bytes),
                reference("runtime_bytes", "CUDA context and NCCL buffers", m_stage.runtime_bytes)}));
    const BasicStateBytes<Traced> of_rank = states();
    figures.push_back(state({name("weights_bytes"), "weights", bytes}, of_rank.weights));
    figures.push_back(gradients());
    figures.push_back(sum_of({name("optimizer_bytes"), "optimizer states", bytes}, "master weights and Adam states",
                             {reference("master_bytes", "master weights", m_stage.master_bytes),
                              reference("moments_bytes", "Adam states", m_stage.moments_bytes)}));
    const auto part_on_device = [&](const char *kind, const char *title, const Traced &whole) {
        return on_device(
                   m_plan,
                   label(whole,
                         {"whole", title, bytes, "dense weights and routed experts are sharded over different ranks"}))
            .derivation({name(kind), title, bytes}, "the fraction that stays in accelerator memory");
    };
    figures.push_back(part_on_device("master_bytes", "master weights", of_rank.master));
    figures.push_back(part_on_device("moments_bytes", "Adam states", of_rank.moments));
    for (Derivation &kind : transient_kinds())
        figures.push_back(std::move(kind));
    figures.push_back(outer());
    figures.push_back(runtime());
    return figures;
}

} // namespace meshwright
