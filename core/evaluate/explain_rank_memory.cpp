// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_layout.h"
#include "evaluate/explain_memory.h"
#include "evaluate/explain_shapes.h"

#include "evaluate/quantity_names.h"

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
    , m_shards(shard_groups_of(context.plan)) { }

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

Derivation RankExplanation::stage_parameters() const {
    return sum_of(
        {name("parameters"), "parameters that one accelerator computes with, before sharding", Quantity::parameters},
        "definition", {parameters("dense"), parameters("experts")});
}

Derivation RankExplanation::state(Labelled what, const State &one, bool is_shared_by_copies) const {
    const double copies = is_shared_by_copies ? stage_copies(m_plan) : 1;
    const auto part = [&](const char *kind, const char *title, Derivation ranks) {
        return by_formula(
            {fmt::format("{}_bytes", kind), title, bytes}, "zero-memory", one.result,
            {named("parameters", parameters(kind)),
             copies > 1 ? product_of({"ranks", "ranks that shard them", count}, "both copies of a stage shard them",
                                     {std::move(ranks), copies_of_stage(m_context, "copies")})
                        : std::move(ranks),
             one.why_whole != nullptr
                 ? software_fact({"stage", "no ZeRO stage shards them"}, 1, one.why_whole)
                 : plan_field({"stage", "ZeRO stage"}, static_cast<double>(m_plan.parallelism.zero_stage),
                              "/parallelism/zero_stage"),
             one.bytes_each(m_context, one.symbol)});
    };
    return sum_of(std::move(what), "dense weights and routed experts are sharded over different ranks",
                  {part("dense", "dense weights", dense_shards(m_context, "ranks")),
                   part("experts", "routed experts", expert_shards(m_context, "ranks"))});
}

Derivation RankExplanation::on_device(Labelled what, Derivation whole) const {
    const double kept = whole.value * (1 - m_plan.offload.optimizer);
    return derived(std::move(what), kept, "whole * (1 - offloaded)", "the part that is not in host memory",
                   {named("whole", std::move(whole)),
                    plan_field({"offloaded", "fraction in host memory", Quantity::share}, m_plan.offload.optimizer,
                               "/offload/optimizer")});
}

/// Software that frees gradients between steps holds none before the first backward pass.
Derivation RankExplanation::gradients() const {
    const Labelled what{name("gradients_bytes"), "gradients", bytes};
    const State one{"gradients_bytes", "gradient_bytes", gradient_state_bytes,
                    adds_gradients_up(m_plan) ? "full gradients accumulate until the last microbatch" : nullptr};
    const double all = rank_state_bytes(m_plan, shard_groups_of(m_plan), m_rank.cost.parameters).gradients;
    if (m_memory.gradients_bytes == all)
        return state(what, one, false);
    return derived(what, m_memory.gradients_bytes, "whole - missing",
                   "gradients are allocated in a stage's first backward pass",
                   {state({"whole", "gradients of the rank", bytes}, one, false),
                    executed({"missing", "gradients that no backward pass has allocated yet", bytes},
                             all - m_memory.gradients_bytes)});
}

Derivation RankExplanation::master(std::string to) const {
    return state({std::move(to), "FP32 master weights", bytes},
                 {"optimizer_state_bytes", "optimizer_bytes", master_state_bytes}, true);
}

Derivation RankExplanation::moments(std::string to) const {
    return state({std::move(to), "Adam states", bytes},
                 {"optimizer_state_bytes", "optimizer_bytes", moment_state_bytes}, true);
}

bool RankExplanation::holds_head() const {
    return std::any_of(m_rank.stages.begin(), m_rank.stages.end(),
                       [&](std::int64_t s) { return m_context.costs.stages[static_cast<std::size_t>(s)].holds_head; });
}

Derivation RankExplanation::slices() const {
    const bool cuts = m_plan.cuts_sequences();
    return derived({"parts", "slices per microbatch", count}, cuts ? static_cast<double>(m_plan.parallelism.chunks) : 1,
                   fmt::format("({}) ? chunks : 1",
                               schedules_that([](const ScheduleDefinition &each) { return each.cuts_sequences; })),
                   "Seq1F1B, arXiv 2406.03488", {schedule_field(m_context), degree(m_context, "chunks")});
}

Derivation RankExplanation::host(Labelled what) const {
    std::vector<Derivation> inputs;
    if (m_plan.offload.optimizer > 0)
        inputs.push_back(product_of(
            {"optimizer", "master weights and Adam states", bytes}, "definition",
            {plan_field({"share", "fraction in host memory", Quantity::share}, m_plan.offload.optimizer,
                        "/offload/optimizer"),
             sum_of({"states", "states of the rank", bytes}, "definition", {master("master"), moments("moments")})}));
    if (m_plan.offload.activations > 0)
        inputs.push_back(held("activations",
                              plan_field({"on_device", "fraction of the activations", Quantity::share},
                                         m_plan.offload.activations, "/offload/activations"),
                              "activations in host memory", false));
    const Outer &outer = m_plan.outer;
    const bool has_outer = outer.method != OuterMethod::none && outer.method != OuterMethod::data_parallel;
    if (has_outer && m_plan.offload.outer && m_plan.cluster.accelerator.host_memory_bytes > 0)
        inputs.push_back(by_formula({"outer", "outer state", bytes}, "outer-memory", "state_bytes",
                                    {outer_parameters(),
                                     plan_field({"error_feedback", "1 with error feedback"},
                                                outer.error_feedback ? 1 : 0, "/outer/error_feedback")}));
    return sum_of(std::move(what), "offloaded states of the rank with most", std::move(inputs));
}

std::vector<Derivation> RankExplanation::figures() const {
    std::vector<Derivation> figures{stage_parameters(),
                                    rank_parameters_of(m_context, m_rank, name("dense_parameters"), false),
                                    rank_parameters_of(m_context, m_rank, name("expert_parameters"), true)};
    figures.push_back(
        sum_of({name("total_bytes"),
                fmt::format("memory of stage {} at its peak ({})", m_index, m_stage.peak_operation), bytes},
               "sum of the kinds at the peak",
               {reference("weights_bytes", "weights", m_stage.weights_bytes),
                reference("gradients_bytes", "gradients", m_stage.gradients_bytes),
                reference("optimizer_bytes", "optimizer states", m_stage.optimizer_bytes),
                reference("activations_bytes", "activations", m_stage.activations_bytes),
                reference("logits_bytes", "logits", m_stage.logits_bytes),
                reference("buffers_bytes", "buffers", m_stage.buffers_bytes),
                reference("outer_bytes", "outer state", m_stage.outer_bytes),
                reference("runtime_bytes", "CUDA context and NCCL buffers", m_stage.runtime_bytes)}));
    figures.push_back(state({name("weights_bytes"), "weights", bytes},
                            {"weights_bytes", "weight_bytes", weight_state_bytes,
                             keeps_gathered_weights(m_plan) ? "pipelines keep gathered weights" : nullptr},
                            false));
    figures.push_back(gradients());
    figures.push_back(sum_of({name("optimizer_bytes"), "optimizer states", bytes}, "master weights and Adam states",
                             {reference("master_bytes", "master weights", m_stage.master_bytes),
                              reference("moments_bytes", "Adam states", m_stage.moments_bytes)}));
    figures.push_back(on_device({name("master_bytes"), "master weights", bytes}, master("whole")));
    figures.push_back(on_device({name("moments_bytes"), "Adam states", bytes}, moments("whole")));
    figures.push_back(activations());
    figures.push_back(logits());
    figures.push_back(buffers());
    figures.push_back(outer());
    figures.push_back(runtime());
    return figures;
}

} // namespace meshwright
