// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/plan_pipeline.h"

#include "memory/stage_bytes.h"
#include "plan/valid_values.h"
#include "step/step_model.h"

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

OperationSeconds parts(const LayerCost &cost, double ExposedSeconds::*direction, double compute, double slices) {
    return {.compute = (compute + cost.copies.*direction) / slices,
            .tensor = cost.tensor.*direction / slices,
            .context = cost.context.*direction / slices,
            .expert = cost.expert.*direction / slices};
}

/// Times of one stage per microbatch or slice.
StageWork stage_work(const LayerCost &cost, double slices, double straggler) {
    StageWork work;
    work.forward = parts(cost, &ExposedSeconds::forward, cost.forward_seconds * straggler, slices);
    work.input_gradient = parts(cost, &ExposedSeconds::backward, cost.input_gradient_seconds * straggler, slices);
    const OperationSeconds recompute =
        parts(cost, &ExposedSeconds::recompute, cost.recompute_seconds * straggler, slices);
    work.input_gradient.recompute = recompute.compute;
    work.input_gradient.tensor += recompute.tensor;
    work.input_gradient.context += recompute.context;
    work.input_gradient.expert += recompute.expert;
    work.weight_gradient.compute = cost.weight_gradient_seconds * straggler / slices;
    return work;
}

double resident_bytes(const RankMemory &memory) {
    return memory.weights_bytes + memory.gradients_bytes + memory.master_bytes + memory.moments_bytes
        + memory.outer_bytes + memory.runtime_bytes;
}

/// Sets the bytes that a stage saves for backward, and the temporary memory of its passes.
void set_bytes(const StageBytes &bytes, StageWork &work) {
    work.activation_bytes = bytes.on_device + bytes.waiting_logits;
    work.weight_gradient_bytes = bytes.on_device;
    for (std::size_t kind = 0; kind < operation_kinds; ++kind)
        work.running_bytes[kind] = bytes.running[kind].total();
}

/// Bytes of one send, per microbatch or slice.
double message_bytes(const Plan &plan, const LayerCosts &layers) {
    return sent_bytes(plan, layers) / plan.slices();
}

} // namespace

OrderRequest order_request(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs) {
    const PipelineShape shape = pipeline_shape(plan, layers, costs, costs.busiest);
    const double parts_of_rank =
        static_cast<double>(plan.cuts_sequences() ? plan.parallelism.chunks : plan.layer_chunks());
    Schedule schedule = shape.schedule;
    if (shape.stages == 1 && !plan.cuts_sequences()) // a single stage is not a pipeline under any schedule
        schedule = plan.layer_chunks() > 1 ? Schedule::interleaved : Schedule::one_f_one_b;
    return {.schedule = schedule,
            .ranks = shape.stages,
            .microbatches = shape.microbatches,
            .chunks = shape.chunks,
            .group = interleaving_group(plan),
            .saved_for_weights = 1, // the memory model keeps all saved activations until the weight gradient
            .forward = shape.forward / parts_of_rank,
            .input_gradient = shape.input_gradient / parts_of_rank,
            .weight_gradient = shape.weight_gradient / parts_of_rank,
            .hop = shape.hop};
}

PipelineWork pipeline_work(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                           const std::vector<RankMemory> &memory, const Assumptions &assumptions) {
    const double slices = plan.slices();
    const double straggler = straggler_of<double>(plan, assumptions);
    PipelineWork work;
    for (const StageCost &stage : costs.stages)
        work.stages.push_back(stage_work(stage.cost, slices, straggler));
    const std::vector<StageBytes> bytes = bytes_of_stages(plan, layers, costs, assumptions);
    for (std::size_t s = 0; s < bytes.size(); ++s)
        set_bytes(bytes[s], work.stages[s]);
    if (plan.parallelism.pipeline > 1) {
        const double hop = pipeline_shape(plan, layers, costs, costs.busiest).hop / slices;
        work.hop_latency_seconds = std::min(hop, layers.network().send_seconds(layers.groups().pipeline, 0));
        work.hop_transfer_seconds = hop - work.hop_latency_seconds;
    }
    work.sending = plan.stack.overlaps_pipeline_sends ? Sending::asynchronous : Sending::blocking;
    work.hidden_expert_share = hidden_expert_share(plan, costs.ranks[costs.busiest].cost, Pairing::paired);
    for (const RankMemory &rank : memory)
        work.resident_bytes.push_back(resident_bytes(rank));
    return work;
}

PlanPipeline simulate_pipeline(const Plan &plan) {
    const Assumptions assumptions(plan.assumptions);
    const LayerCosts layers(plan, assumptions);
    return simulate_pipeline(plan, layers, pipeline_costs(plan, layers), assumptions);
}

PlanPipeline simulate_pipeline(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                               const Assumptions &assumptions) {
    PlanPipeline pipeline;
    ExecutedOrder executed{.order = operation_order(order_request(plan, layers, costs)), .shorter = {}};
    pipeline.memory = memory_of_ranks(plan, layers, costs, assumptions, &executed);
    pipeline.order = std::move(executed.order);
    pipeline.work = pipeline_work(plan, layers, costs, pipeline.memory, assumptions);
    for (std::size_t rank = 0; rank < costs.ranks.size(); ++rank)
        pipeline.work.collectives.push_back(rank_collectives(plan, layers, costs, assumptions, rank));
    pipeline.message_bytes = message_bytes(plan, layers);
    pipeline.timeline = simulate(pipeline.order, pipeline.work);
    pipeline.exposed = exposed_by_cause(pipeline.order, pipeline.work);
    pipeline.idle = idle_shares(pipeline.order, pipeline.timeline);
    return pipeline;
}

} // namespace meshwright
