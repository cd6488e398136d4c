// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/stage_bytes.h"

#include "formulas/rank_memory.h"
#include "memory/logit_bytes.h"

#include <algorithm>
#include <numeric>

namespace meshwright {

namespace {

RunningBytes &running(StageBytes &bytes, OperationKind kind) {
    return bytes.running[static_cast<std::size_t>(kind)];
}

/// Logits are allocated at the loss; the part that the backward pass needs stays allocated until that pass.
void add_logits(const LogitBytes &logits, StageBytes &bytes) {
    bytes.waiting_logits = logits.waiting_bytes(2);
    running(bytes, OperationKind::forward).logits = logits.loss_bytes() - bytes.waiting_logits;
    for (const OperationKind kind : {OperationKind::backward, OperationKind::input_gradient})
        running(bytes, kind).logits = -bytes.waiting_logits;
}

/// Memory in flight at the current operation of a rank.
struct InFlight {
    double saved = 0;
    double on_device = 0;
    double logits = 0;
    double missing_gradients = 0;
    double waiting = 0; ///< number of microbatches that keep logits in memory for their backward pass
};

} // namespace

StageBytes stage_bytes(const Plan &plan, const LayerCosts &layers, const StageCost &stage, const RankBuffers &buffers,
                       const Assumptions &assumptions) {
    const double slices = plan.slices();
    const double slack = assumptions[ConstantId::activation_slack];
    const double on_device = 1 - plan.offload.activations;
    StageBytes bytes{.saved = stage.cost.saved_bytes / slices};
    bytes.on_device = formula::in_flight_activation_bytes(stage.cost.saved_bytes, slices, 1, slack, on_device);
    const double base = buffers.communication() + buffers.gathered_weights;
    running(bytes, OperationKind::forward).buffers = base + (stage.holds_head ? buffers.head_gradient : 0);
    for (const OperationKind kind :
         {OperationKind::backward, OperationKind::input_gradient, OperationKind::weight_gradient})
        running(bytes, kind).buffers = base + buffers.unreduced_gradients + buffers.waiting_gradient;
    if (stage.working != nullptr)
        running(bytes, OperationKind::input_gradient).buffers +=
            formula::working_set_bytes(stage.working->bytes, slices, slack);
    RunningBytes &backward = running(bytes, OperationKind::backward);
    if (stage.fullest.working != nullptr) {
        const double freed = stage.cost.saved_bytes - stage.fullest.saved_bytes;
        backward.activations = -formula::in_flight_activation_bytes(freed, slices, 1, slack, on_device);
        backward.buffers += formula::working_set_bytes(stage.fullest.working->bytes, slices, slack);
    }
    if (stage.holds_head)
        add_logits(LogitBytes(plan, layers), bytes);
    if (!plan.stack.keeps_gradient_buffers)
        bytes.gradients =
            rank_state_bytes(plan, shard_groups_of(plan, layers.groups()), stage.cost.parameters).gradients;
    return bytes;
}

std::vector<StageBytes> bytes_of_stages(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                        const Assumptions &assumptions) {
    std::vector<StageBytes> bytes(costs.stages.size());
    for (std::size_t r = 0; r < costs.ranks.size(); ++r) {
        const RankBuffers buffers = buffers_of_rank(plan, layers, costs, assumptions, r);
        for (const std::int64_t s : costs.ranks[r].stages) {
            const auto at = static_cast<std::size_t>(s);
            bytes[at] = stage_bytes(plan, layers, costs.stages[at], buffers, assumptions);
        }
    }
    return bytes;
}

RankPeak peak_of_rank(const OperationOrder &order, std::int64_t rank, const std::vector<StageBytes> &stages) {
    InFlight now;
    std::vector<bool> has_gradients(stages.size());
    for (std::size_t place = 0; place < order.rank_of.size(); ++place) {
        const std::size_t stage = place % static_cast<std::size_t>(order.stages);
        if (order.rank_of[place] == rank && !has_gradients[stage]) {
            now.missing_gradients += stages[stage].gradients;
            has_gradients[stage] = true; // the stage's gradients are in memory from its first backward pass on
        }
    }
    has_gradients.assign(stages.size(), false);
    RankPeak peak;
    double highest = -1;
    for (const Operation &operation : order.of_rank(rank)) {
        const StageBytes &stage = stages[operation.stage];
        const RunningBytes &running = stage.running[static_cast<std::size_t>(operation.kind)];
        if (operation.kind == OperationKind::forward) {
            now.saved += stage.saved;
            now.on_device += stage.on_device;
            now.logits += stage.waiting_logits;
            now.waiting += stage.waiting_logits > 0 ? 1 : 0;
            peak.max_saved = std::max(peak.max_saved, now.saved);
        }
        const double live = now.on_device + now.logits - now.missing_gradients + running.total();
        if (live > highest) {
            highest = live;
            const double freed = stage.on_device > 0 ? -running.activations / stage.on_device * stage.saved : 0;
            peak.saved = now.saved - freed;
            peak.on_device = now.on_device + running.activations;
            peak.logits = now.logits + running.logits;
            peak.buffers = running.buffers;
            peak.missing_gradients = now.missing_gradients;
            const bool at_its_logits = stage.waiting_logits > 0 && operation.kind != OperationKind::weight_gradient;
            peak.waiting_microbatches = now.waiting - (at_its_logits ? 1 : 0);
            peak.stage = operation.stage;
            peak.kind = operation.kind;
        }
        if (operation.kind == OperationKind::forward)
            continue;
        if (operation.kind != OperationKind::weight_gradient) {
            now.logits -= stage.waiting_logits;
            now.waiting -= stage.waiting_logits > 0 ? 1 : 0;
            if (!has_gradients[operation.stage]) {
                now.missing_gradients -= stage.gradients;
                has_gradients[operation.stage] = true;
            }
        }
        if (operation.kind != OperationKind::input_gradient) {
            now.saved -= stage.saved;
            now.on_device -= stage.on_device;
        }
    }
    return peak;
}

RankPeak peak_of_rank(const ExecutedOrder &executed, std::int64_t rank, const std::vector<StageBytes> &stages) {
    RankPeak peak = peak_of_rank(executed.order, rank, stages);
    if (!executed.shorter || !definition_of(executed.order.schedule).forward_first)
        return peak; // with alternating passes, the peak does not depend on the number of microbatches
    const RankPeak shorter = peak_of_rank(*executed.shorter, rank, stages);
    for (double RankPeak::*figure :
         {&RankPeak::saved, &RankPeak::on_device, &RankPeak::logits, &RankPeak::buffers, &RankPeak::missing_gradients,
          &RankPeak::waiting_microbatches, &RankPeak::max_saved})
        peak.*figure = executed.carried_on(peak.*figure, shorter.*figure);
    return peak;
}

} // namespace meshwright
