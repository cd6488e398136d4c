// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/state_bytes.h"

#include "formulas/memory.h"
#include "memory/memory_model.h"

namespace meshwright {

namespace {

template <Number N>
N format_bytes(DataType type, std::string_view name, std::string_view title, std::string_view field) {
    return read<N>(bytes_of(type), {Origin::plan, name, title, Quantity::bytes, field});
}

template <Number N>
N no_bytes(std::string_view name, std::string_view field, std::string_view why) {
    return read<N>(0, {Origin::plan, name, "bytes per parameter of this state", Quantity::bytes, field, why});
}

template <Number N>
N moment_bytes(const Plan &plan) {
    const N one = format_bytes<N>(plan.precision.moments, "moment", "bytes per moment value", "/precision/moments");
    const auto none = [] {
        return no_bytes<N>("moment_bytes", "/optimizer/name", "the plan: this optimizer has no moments");
    };
    switch (plan.optimizer.kind) {
    case OptimizerKind::adamw:
        return label(
            2 * one,
            {"moment_bytes", "bytes per parameter", Quantity::bytes, "AdamW, arXiv 1711.05101: momentum and variance"});
    case OptimizerKind::adam_8bit:
        return read<N>(2 * (1 + 4.0 / 2048), // one FP32 scale per block of 2,048 values
                       {Origin::constant,
                        "moment_bytes",
                        "bytes per parameter",
                        Quantity::bytes,
                        {},
                        "published: 8-bit optimizers, arXiv 2110.02861 (two one-byte moments, each with an FP32 scale "
                        "per 2,048 values)"});
    case OptimizerKind::muon:
        return one;
    case OptimizerKind::sgd:
        return plan.optimizer.momentum > 0 ? one : none();
    case OptimizerKind::adafactor:
        break;
    }
    return none();
}

/// Bytes of one state (weights, gradients, master weights or moments), for the rank's dense and expert parameters.
/// `formula` is the state's ZeRO formula.
template <Number N, typename Formula>
N stored_bytes(const BasicRankParameters<N> &parameters, const N &dense_shards, const N &expert_shards, const N &stage,
               const Formula &formula, const N &bytes_each) {
    return label(formula(parameters.dense, dense_shards, stage, bytes_each),
                 {"dense_bytes", "dense weights", Quantity::bytes})
        + label(formula(parameters.experts, expert_shards, stage, bytes_each),
                {"experts_bytes", "routed experts", Quantity::bytes});
}

} // namespace

template <Number N>
BasicStateBytes<N> state_bytes(const Plan &plan) {
    const Precision &precision = plan.precision;
    BasicStateBytes<N> each{
        .weights = format_bytes<N>(precision.weights, "weight_bytes", "bytes per weight", "/precision/weights"),
        .gradients =
            format_bytes<N>(precision.gradients, "gradient_bytes", "bytes per gradient", "/precision/gradients"),
        .master = format_bytes<N>(precision.master, "master_bytes", "bytes per master weight", "/precision/master"),
        .moments = moment_bytes<N>(plan)};
    const double accumulated = bytes_of(precision.gradients);
    if (plan.stack.gradients_beside_accumulators && accumulated > bytes_of(precision.weights))
        each.gradients = label(each.gradients + each.weights,
                               {"gradient_bytes", "bytes per parameter", Quantity::bytes,
                                "gradients of the current pass exist in addition to the accumulators"});
    // The update runs in FP32 and copies its shard of the accumulators if they have another format.
    if (accumulated < 4 && each.master > 0)
        each.master = label(
            each.master
                + read<N>(plan.stack.update_bytes_per_parameter,
                          {Origin::software, "update", "bytes per parameter of the optimizer step's temporary copy",
                           Quantity::bytes, "/stack/update_bytes_per_parameter", "the plan's software"}),
            {"master_bytes", "bytes per parameter", Quantity::bytes,
             "the optimizer step works in FP32, so accumulators in other formats are copied to FP32"});
    // FSDP shards the master weights instead of the weights, and casts them when it gathers them.
    if (!plan.stack.weights_beside_master && precision.master != DataType::none && plan.parallelism.zero_stage >= 3
        && !keeps_gathered_weights(plan))
        each.weights =
            no_bytes<N>("weight_bytes", "/precision/master", "the plan: FSDP's sharded weights are the master weights");
    return each;
}
template BasicStateBytes<double> state_bytes(const Plan &);
template BasicStateBytes<Traced> state_bytes(const Plan &);

template <Number N>
BasicStateBytes<N> rank_state_bytes(const Plan &plan, const BasicShardGroups<N> &shards,
                                    const BasicRankParameters<N> &parameters) {
    const BasicStateBytes<N> each = state_bytes<N>(plan);
    const N stage = read<N>(static_cast<double>(plan.parallelism.zero_stage),
                            {Origin::plan, "stage", "ZeRO stage", Quantity::number, "/parallelism/zero_stage"});
    const auto whole = [](double as_stage, std::string_view why) {
        return read<N>(as_stage, {Origin::software, "stage", "equivalent ZeRO stage", Quantity::number, "/stack", why});
    };
    // `whole(s)` replaces the plan's ZeRO stage in a formula: 2 in the formula for weights that are not sharded, 1 in
    // the formula for gradients that are not sharded.
    const N weights_stage =
        keeps_gathered_weights(plan) ? whole(2, "with a pipeline, gathered weights stay allocated") : stage;
    const N gradients_stage =
        adds_gradients_up(plan) ? whole(1, "full gradients accumulate until the last microbatch") : stage;
    // In a bidirectional schedule, two ranks store each stage. The stage is updated only once, so the two ranks split
    // its optimizer states.
    const auto updating = [&](const N &sharing) {
        return label(
            sharing * shards.copies,
            {"ranks", "ranks that shard these states", Quantity::count, "both copies of a stage shard these states"});
    };
    const N dense = updating(shards.dense);
    const N experts = updating(shards.experts);
    return {.weights = stored_bytes(parameters, shards.dense, shards.experts, weights_stage,
                                    formula::zero_weights_bytes, each.weights),
            .gradients = stored_bytes(parameters, shards.dense, shards.experts, gradients_stage,
                                      formula::zero_gradients_bytes, each.gradients),
            .master = stored_bytes(parameters, dense, experts, stage, formula::zero_optimizer_bytes, each.master),
            .moments = stored_bytes(parameters, dense, experts, stage, formula::zero_optimizer_bytes, each.moments)};
}
template StateBytes rank_state_bytes(const Plan &, const ShardGroups &, const RankParameters &);
template BasicStateBytes<Traced> rank_state_bytes(const Plan &, const BasicShardGroups<Traced> &,
                                                  const BasicRankParameters<Traced> &);

template <Number N>
N on_device(const Plan &plan, const N &whole) {
    return whole
        * (1
           - read<N>(plan.offload.optimizer,
                     {Origin::plan, "offloaded", "fraction of the optimizer states in host memory", Quantity::share,
                      "/offload/optimizer"}));
}
template double on_device(const Plan &, const double &);
template Traced on_device(const Plan &, const Traced &);

double device_state_bytes(const Plan &plan, const ShardGroups &shards, const RankParameters &parameters) {
    const StateBytes bytes = rank_state_bytes(plan, shards, parameters);
    return bytes.weights + bytes.gradients + on_device(plan, bytes.master + bytes.moments);
}

} // namespace meshwright
