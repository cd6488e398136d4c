// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/state_bytes.h"

#include "formulas/memory.h"
#include "memory/memory_model.h"

namespace meshwright {

namespace {

double moment_bytes(const Plan &plan) {
    const double one = bytes_of(plan.precision.moments);
    switch (plan.optimizer.kind) {
    case OptimizerKind::adamw:
        return 2 * one;
    case OptimizerKind::adam_8bit:
        return 2 * (1 + 4.0 / 2048); // one FP32 scale per block of 2,048
    case OptimizerKind::muon:
        return one;
    case OptimizerKind::sgd:
        return plan.optimizer.momentum > 0 ? one : 0;
    case OptimizerKind::adafactor:
        break;
    }
    return 0;
}

/// Bytes of one state that a rank stores for its dense and expert parameters, sharded or not.
double kept(const RankParameters &parameters, const ShardGroups &shards, double stage, double from, double bytes) {
    return formula::sharded_state_bytes(parameters.dense, shards.dense, stage, from, bytes)
        + formula::sharded_state_bytes(parameters.experts, shards.experts, stage, from, bytes);
}

} // namespace

StateBytes state_bytes(const Plan &plan) {
    const Precision &precision = plan.precision;
    StateBytes bytes{.weights = bytes_of(precision.weights),
                     .gradients = bytes_of(precision.gradients),
                     .master = bytes_of(precision.master),
                     .moments = moment_bytes(plan)};
    const double accumulated = bytes.gradients;
    if (plan.stack.gradients_beside_accumulators && accumulated > bytes.weights)
        bytes.gradients += bytes.weights;
    // The update runs in FP32 and copies its shard of the accumulators if they have another format.
    if (accumulated < 4 && bytes.master > 0)
        bytes.master += plan.stack.update_bytes_per_parameter;
    // FSDP uses the master weights as its sharded weights and casts what it gathers.
    if (!plan.stack.weights_beside_master && precision.master != DataType::none && plan.parallelism.zero_stage >= 3
        && !keeps_gathered_weights(plan))
        bytes.weights = 0;
    return bytes;
}

StateBytes rank_state_bytes(const Plan &plan, const ShardGroups &shards, const RankParameters &parameters) {
    const StateBytes bytes = state_bytes(plan);
    const auto stage = static_cast<double>(plan.parallelism.zero_stage);
    // The optimizer updates a stage once even if a bidirectional schedule stores two copies, so the copies split its
    // states.
    const double copies = stage_copies(plan);
    const double weights_stage = keeps_gathered_weights(plan) ? 2 : stage; // replicated, as with ZeRO-2
    const double gradients_stage = adds_gradients_up(plan) ? 1 : stage; // replicated, as with ZeRO-1
    const ShardGroups updating{.dense = shards.dense * copies, .experts = shards.experts * copies};
    return {.weights = kept(parameters, shards, weights_stage, 3, bytes.weights),
            .gradients = kept(parameters, shards, gradients_stage, 2, bytes.gradients),
            .master = kept(parameters, updating, stage, 1, bytes.master),
            .moments = kept(parameters, updating, stage, 1, bytes.moments)};
}

double device_state_bytes(const Plan &plan, const ShardGroups &shards, const RankParameters &parameters) {
    const StateBytes bytes = rank_state_bytes(plan, shards, parameters);
    return bytes.weights + bytes.gradients + (bytes.master + bytes.moments) * (1 - plan.offload.optimizer);
}

} // namespace meshwright
