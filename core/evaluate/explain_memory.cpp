// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/placement.h"
#include "evaluate/explain_context.h"

#include <fmt/format.h>

#include <cmath>

namespace meshwright {

namespace {

constexpr Quantity bytes = Quantity::bytes;

/// One state of a rank: parameters x bytes, divided over the ranks that share it.
Derivation state(const ExplainContext &context, const RankCost &rank, Labelled what, double value, double bytes_each,
                 std::int64_t from_stage, double on_device) {
    ShardGroups shards = shard_groups_of(context.plan);
    if (from_stage == 1) { // the optimizer updates a stage once: ranks that hold copies of it share its states
        shards.dense *= stage_copies(context.plan);
        shards.experts *= stage_copies(context.plan);
    }
    const bool sharded = context.plan.parallelism.zero_stage >= from_stage;
    std::vector<Derivation> inputs{model_fact({"dense", "dense parameters of the rank", Quantity::parameters},
                                              rank.cost.parameters.dense, "its layers over tensor parallelism"),
                                   model_fact({"experts", "routed-expert parameters of the rank", Quantity::parameters},
                                              rank.cost.parameters.experts, "its layers over expert parallelism"),
                                   plan_field({"bytes_each", "bytes a parameter"}, bytes_each, "/precision")};
    std::string formula = "(dense + experts) * bytes_each";
    if (sharded) {
        inputs.push_back(plan_field({"shards", "ranks that share dense states"}, shards.dense, "/parallelism/data"));
        inputs.push_back(
            plan_field({"expert_shards", "ranks that share expert states"}, shards.experts, "/parallelism/expert"));
        formula = "(dense / shards + experts / expert_shards) * bytes_each";
    }
    if (on_device != 1) {
        inputs.push_back(plan_field({"on_device", "share kept on the device"}, on_device, "/offload/optimizer"));
        formula += " * on_device";
    }
    return derived(std::move(what), value, std::move(formula),
                   sharded ? "ZeRO: Rajbhandari et al. 2020, arXiv 1910.02054, section 5"
                           : "mixed-precision training: Micikevicius et al. 2018, arXiv 1710.03740",
                   std::move(inputs));
}

Derivation activations(const ExplainContext &context, std::size_t index, const StageMemory &stage,
                       std::int64_t in_flight, std::string name) {
    const RankCost &rank = context.costs.ranks[index];
    const bool slices = context.plan.parallelism.schedule == Schedule::seq1f1b;
    const double parts =
        slices ? static_cast<double>(context.plan.parallelism.chunks) : static_cast<double>(rank.stages.size());
    double saved = 0;
    for (const std::int64_t s : rank.stages)
        saved += context.costs.stages[static_cast<std::size_t>(s)].cost.saved_bytes;
    const double on_device = 1 - context.plan.offload.activations;
    const double slack = context.assumed[ConstantId::activation_slack];
    const double held = saved / parts * static_cast<double>(in_flight) * slack * on_device;
    Labelled what{std::move(name), "activations", bytes};
    if (std::abs(held - stage.activations_bytes) > 1e-6 * held + 1)
        return model_fact(std::move(what), stage.activations_bytes, "none are held where the peak stands");
    Derivation slack_constant = context.constant(ConstantId::activation_slack);
    slack_constant.name = "slack";
    return derived(std::move(what), stage.activations_bytes, "saved / parts * in_flight * slack * on_device",
                   "Korthikanti et al. 2022, arXiv 2205.05198, section 4",
                   {model_fact({"saved", "kept of one microbatch by all layers of the rank", bytes}, saved,
                               "sum over operations, less what is recomputed"),
                    plan_field({"parts", "chunks or slices that it comes in"}, parts, "/parallelism/chunks"),
                    model_fact({"in_flight", "of them in flight at most"}, static_cast<double>(in_flight),
                               fmt::format("schedule {}", name_of(context.plan.parallelism.schedule))),
                    std::move(slack_constant),
                    plan_field({"on_device", "share kept on the device"}, on_device, "/offload/activations")});
}

Derivation stage_total(const ExplainContext &context, std::size_t index) {
    const StageMemory &stage = context.result.memory.stages[index];
    const RankCost &rank = context.costs.ranks[index];
    const StateBytes each = state_bytes(context.plan);
    const double on_device = 1 - context.plan.offload.optimizer;
    const auto named = [&](const char *kind) { return fmt::format("memory_stages_{}_{}_bytes", index, kind); };
    Derivation optimizer = sum_of(
        {named("optimizer"), "optimizer states", bytes}, "master copy and moments",
        {state(context, rank, {named("master"), "master copy", bytes}, stage.master_bytes, each.master, 1, on_device),
         state(context, rank, {named("moments"), "moments", bytes}, stage.moments_bytes, each.moments, 1, on_device)});
    return sum_of(
        {named("total"), fmt::format("memory of stage {} at {}", index, stage.peak_operation), bytes},
        "the kinds add up where the peak stands",
        {state(context, rank, {named("weights"), "weights", bytes}, stage.weights_bytes, each.weights, 3, 1),
         state(context, rank, {named("gradients"), "gradients", bytes}, stage.gradients_bytes, each.gradients, 2, 1),
         std::move(optimizer),
         activations(context, index, stage, context.result.pipeline.in_flight[index], named("activations")),
         model_fact({named("logits"), "logits", bytes}, stage.logits_bytes,
                    "tokens x vocabulary over tensor parallelism, where the peak stands at the loss"),
         model_fact({named("buffers"), "buffers", bytes}, stage.buffers_bytes,
                    "gathered weights, gradient buckets, receive buffers and one layer's working set"),
         model_fact({named("outer"), "outer loop's state", bytes}, stage.outer_bytes,
                    "FP32 outer parameters, momentum and error feedback, or one fragment where the host keeps them"),
         software_fact({named("runtime"), "runtime", bytes}, stage.runtime_bytes,
                       "driver and library context, communicators, fragmentation")});
}

} // namespace

std::vector<Derivation> explain_memory(const ExplainContext &context) {
    const Memory &memory = context.result.memory;
    std::vector<Derivation> totals;
    for (std::size_t i = 0; i < memory.stages.size(); ++i)
        totals.push_back(stage_total(context, i));
    std::string formula = "max(";
    for (const Derivation &total : totals)
        formula += (&total == &totals.front() ? "" : ", ") + total.name;
    Derivation peak = derived({"memory_peak_bytes", "memory of the fullest stage", bytes}, memory.peak_bytes,
                              formula + ")", "the fullest stage decides", std::move(totals));
    Derivation capacity =
        hardware_fact({"memory_capacity_bytes", "memory of the accelerator", bytes}, memory.capacity_bytes,
                      "what the device offers; see the accelerator's sources", "/cluster/accelerator");
    return {derived({"verdict_headroom_bytes", "free memory", bytes}, context.result.verdict.headroom_bytes,
                    "memory_capacity_bytes - memory_peak_bytes", "definition", {std::move(capacity), std::move(peak)})};
}

} // namespace meshwright
