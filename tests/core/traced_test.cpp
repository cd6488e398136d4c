// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/traced.h"

#include "explain/rank_costs.h"
#include "formulas/costs.h"
#include "formulas/function.h"
#include "formulas/plan_figures.h"
#include "formulas/rank_memory.h"
#include "layers/layer_cost.h"
#include "memory/logit_bytes.h"
#include "memory/peak_bytes.h"
#include "memory/rank_buffers.h"
#include "memory/runtime_memory.h"
#include "random_plans.h"
#include "recomputed.h"
#include "run/run_model.h"
#include "step/data_traffic.h"
#include "step/step_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace meshwright {
namespace {

Traced field(double value, const char *name, const char *pointer) {
    return read<Traced>(value, {Origin::plan, name, name, Quantity::count, pointer});
}

TEST(TracedNumber, KeepsTheExpressionOverWhatWasRead) {
    const Traced tokens = field(8, "tokens", "/batch/sequence_length");
    const Traced ranks = field(2, "ranks", "/parallelism/tensor");
    const Derivation made =
        ((tokens + 4) * tokens / ranks - min(tokens, ranks)).derivation({"made", "made of both"}, "a test");
    EXPECT_EQ(made.value, 46);
    EXPECT_EQ(made.formula, "(tokens + 4) * tokens / ranks - min(tokens, ranks)");
    ASSERT_EQ(made.inputs.size(), 2u); // a number that occurs twice is one input
    EXPECT_EQ(made.inputs[0].field, "/batch/sequence_length");
    EXPECT_EQ(made.source, "a test");
}

TEST(TracedNumber, NumbersDifferentInputsOfOneName) {
    const Traced a = field(3, "part", "/parallelism/tensor");
    const Traced b = field(5, "part", "/parallelism/context");
    EXPECT_EQ((a - b).derivation({"difference", ""}, "").formula, "part - part_2");
}

TEST(TracedNumber, BecomesANodeByALabel) {
    const Traced sum = label(field(3, "a", "/x") + field(4, "b", "/y"), {"sum", "sum of both", Quantity::count, "why"});
    const Derivation twice = (2 * sum).derivation({"twice", ""}, "");
    EXPECT_EQ(twice.formula, "2 * sum");
    EXPECT_EQ(twice.inputs.front().formula, "a + b");
    EXPECT_EQ(twice.inputs.front().source, "why");
    EXPECT_TRUE(label(Traced(7), {"seven", "a plain number stays one"}).is_plain());
}

TEST(TracedNumber, ShowsTheConditionThatChoseIt) {
    const Traced split = field(1, "split", "/parallelism/sequence_parallel");
    const Derivation ways =
        select(split, field(8, "tensor", "/parallelism/tensor"), Traced(1)).derivation({"ways", ""}, "");
    EXPECT_EQ(ways.value, 8);
    EXPECT_EQ(ways.formula, "split ? tensor : 1");
}

TEST(TracedNumber, OfACallIsTheFormulaOfTheCatalogue) {
    const Derivation kept = formula::saved_tensor_bytes(field(8, "tokens", "/x"), 4.0, field(2, "format", "/y"))
                                .derivation({"kept", ""}, "");
    EXPECT_EQ(kept.value, 64);
    EXPECT_EQ(kept.calculator, "saved-activation");
    EXPECT_EQ(kept.formula, "rows * width * element_bytes");
    EXPECT_EQ(kept.find("rows")->title, "tokens");
}

TEST(TracedNumber, InAnotherUnitThanSIIsAPlainNumber) {
    const Derivation hours = formula::accelerator_hours(field(64, "accelerators", "/x"), field(2, "days", "/y"))
                                 .derivation({"hours", ""}, "");
    EXPECT_EQ(hours.value, 64 * 2 * 24);
    EXPECT_EQ(hours.quantity, Quantity::number); // hours, not seconds
    const Derivation days = formula::days_of_seconds(field(86400, "seconds", "/x")).derivation({"days", ""}, "");
    EXPECT_EQ(days.value, 1);
    EXPECT_EQ(days.quantity, Quantity::number);
}

TEST(TracedNumber, OfAFunctionOutsideTheCatalogueIsWrittenOut) {
    static FormulaFunction outside{[](auto a, auto b) { return 3 * a + b; }};
    EXPECT_EQ(outside(field(2, "a", "/x"), field(1, "c", "/y")).derivation({"sum", ""}, "").formula, "3 * a + c");
}

/// The layers of a plan with traced costs.
struct TracedLayers {
    explicit TracedLayers(const Plan &of)
        : plan(of)
        , costs(of, Assumptions(of.assumptions))
        , shape(rank_shape<Traced>(of))
        , device(of, Assumptions(of.assumptions)) { }

    std::vector<TracedOperation> operations(std::size_t block) const {
        return layer_operations(plan.model, plan.model.blocks[block], shape, device, plan);
    }
    const Plan &plan;
    LayerCosts costs;
    BasicRankShape<Traced> shape;
    BasicDevice<Traced> device;
};

RC_GTEST_PROP(TracedModel, GivesTheNumbersOfTheModelBitForBit, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const TracedLayers traced(*plan);
    for (std::size_t i = 0; i < plan->model.blocks.size(); ++i) {
        const std::vector<TracedOperation> operations = traced.operations(i);
        const std::vector<LayerOperation> plain =
            layer_operations(plan->model, plan->model.blocks[i], traced.costs.shape(), traced.costs.device(), *plan);
        RC_ASSERT(operations.size() == plain.size());
        for (std::size_t k = 0; k < plain.size(); ++k) {
            RC_ASSERT(operations[k].saved_bytes.value() == plain[k].saved_bytes);
            RC_ASSERT(operations[k].freed_bytes.value() == plain[k].freed_bytes);
            RC_ASSERT(operations[k].moved.bytes.value() == plain[k].moved.bytes);
            RC_ASSERT(operations[k].multiply.rows.value() == plain[k].multiply.rows);
            RC_ASSERT(operations[k].seconds.forward.value() == plain[k].seconds.forward);
            RC_ASSERT(operations[k].seconds.input_gradient.value() == plain[k].seconds.input_gradient);
            RC_ASSERT(operations[k].seconds.weight_gradient.value() == plain[k].seconds.weight_gradient);
        }
        const BasicBlockMemory<Traced> memory = block_memory(*plan, operations, traced.shape);
        const BlockCost &cost = traced.costs.of_block(i);
        RC_ASSERT(memory.stored_bytes.value() == cost.stored.saved_bytes);
        RC_ASSERT(memory.recomputed_bytes.value() == cost.recomputed.saved_bytes);
        RC_ASSERT(memory.stored_working.bytes.value() == cost.stored_working.bytes);
        RC_ASSERT(memory.recomputed_working.bytes.value() == cost.recomputed_working.bytes);
        for (const Weight &weight : weights_of(plan->model, plan->model.blocks[i]))
            RC_ASSERT(parameters_per_rank(weight, traced.shape).value()
                      == parameters_per_rank(weight, traced.costs.shape()));
    }
}

TracedGroup same_as(const Group &group) {
    return {group, field(group.count(), "members", "/members"), field(group.apart(), "stride", "/stride")};
}

RC_GTEST_PROP(TracedModel, GivesTheGroupsOfRanks, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const Groups groups = groups_of(*plan);
    const BasicGroups<Traced> traced = groups_of<Traced>(*plan);
    const std::pair<Group, TracedGroup> all[] = {
        {groups.tensor, traced.tensor},     {groups.context, traced.context},
        {groups.expert, traced.expert},     {groups.expert_tensor, traced.expert_tensor},
        {groups.data, traced.data},         {groups.expert_data, traced.expert_data},
        {groups.pipeline, traced.pipeline}, {groups.site, traced.site}};
    for (const auto &[group, same] : all) {
        RC_ASSERT(static_cast<const Group &>(same) == group);
        RC_ASSERT(same.count().value() == group.count());
        RC_ASSERT(same.apart().value() == group.apart());
    }
    const ShardGroups shards = shard_groups_of(*plan, groups);
    const BasicShardGroups<Traced> same = shard_groups_of(*plan, traced);
    RC_ASSERT(same.dense.value() == shards.dense);
    RC_ASSERT(same.experts.value() == shards.experts);
    RC_ASSERT(same.copies.value() == shards.copies);
}

RC_GTEST_PROP(TracedModel, GivesTheTimesOfCollectivesBitForBit, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const Assumptions assumed(plan->assumptions);
    const Network plain(plan->cluster, assumed);
    const BasicNetwork<Traced> traced(plan->cluster, assumed);
    const Groups groups = groups_of(*plan);
    const double bytes = std::pow(10.0, *rc::gen::inRange(2, 11));
    const double pieces = *rc::gen::inRange(1, 40);
    for (const Group &group : {groups.tensor, groups.context, groups.expert, groups.data, groups.expert_data}) {
        const TracedGroup same = same_as(group);
        const Traced tensor = field(bytes, "bytes", "/z");
        RC_ASSERT(traced.all_gather_seconds(same, tensor).value() == plain.all_gather_seconds(group, bytes));
        RC_ASSERT(traced.all_reduce_seconds(same, tensor).value() == plain.all_reduce_seconds(group, bytes));
        const Traced several = field(pieces, "pieces", "/p");
        RC_ASSERT(traced.all_reduce_seconds(same, tensor, several).value()
                  == plain.all_reduce_seconds(group, bytes, pieces));
        RC_ASSERT(traced.all_to_all_seconds(same, tensor, 4).value() == plain.all_to_all_seconds(group, bytes, 4));
        RC_ASSERT(traced.send_seconds(same, tensor).value() == plain.send_seconds(group, bytes));
    }
}

BasicLayerCosts<Traced> traced_costs(const Plan &plan, const Assumptions &assumed) {
    const auto machine = std::make_shared<const BasicMachine<Traced>>(plan, assumed, groups_of<Traced>(plan).site);
    return {plan, machine, {plan, machine->device, ModelWeights(plan.model)}, groups_of<Traced>(plan)};
}

bool is_close(double a, double b) {
    return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

/// Sums over ranks group equal layers, so their last bits may differ.
RC_GTEST_PROP(TracedModel, GivesTheCostsOfRanksAndTheirPasses, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const Assumptions assumed(plan->assumptions);
    const LayerCosts plain(*plan, assumed);
    const PipelineCosts costs = pipeline_costs(*plan, plain);
    const BasicLayerCosts<Traced> traced = traced_costs(*plan, assumed);
    const TracedRankCosts ranks(*plan, traced, plain, costs);
    const double straggler = straggler_of<double>(*plan, assumed);
    for (std::size_t r = 0; r < costs.ranks.size(); ++r) {
        const LayerCost &cost = costs.ranks[r].cost;
        const BasicLayerCost<Traced> &same = ranks.of_rank(r);
        const StepSeconds step = passes_of_rank(*plan, cost, straggler, pairing_of(*plan));
        const BasicStepSeconds<Traced> same_step =
            passes_of_rank(*plan, same, straggler_of<Traced>(*plan, assumed), pairing_of(*plan));
        for (const auto &[one, other] : {std::pair(step.compute, same_step.compute),
                                         {step.copies, same_step.copies},
                                         {step.recompute, same_step.recompute},
                                         {step.tensor, same_step.tensor},
                                         {step.context, same_step.context},
                                         {step.expert, same_step.expert}})
            RC_ASSERT(is_close(one, other.value()));
        const DataLoad load = data_load(*plan, cost);
        const BasicDataLoad<Traced> same_load = data_load(*plan, same);
        RC_ASSERT(is_close(load.forward_seconds, same_load.forward_seconds.value()));
        RC_ASSERT(is_close(load.backward_seconds, same_load.backward_seconds.value()));
        const PipelineShape shape = pipeline_shape(*plan, plain, costs, r);
        const BasicMeanPasses<Traced> mean = mean_passes(*plan, ranks.of_others(r));
        RC_ASSERT(is_close(shape.forward, mean.forward.value()));
        RC_ASSERT(is_close(shape.input_gradient, mean.input_gradient.value()));
        RC_ASSERT(is_close(shape.weight_gradient, mean.weight_gradient.value()));
        const BasicLayerCost<Traced> &held = ranks.held_by(r);
        RC_ASSERT(is_close(cost.parameters.dense, held.parameters.dense.value()));
        RC_ASSERT(is_close(cost.parameters.experts, held.parameters.experts.value()));
        double saved = 0;
        double unit = 0;
        for (const std::int64_t s : costs.ranks[r].stages) {
            const StageCost &stage = costs.stages[static_cast<std::size_t>(s)];
            saved += stage.cost.saved_bytes;
            unit = std::max(unit, stage.sharded_unit);
            RC_ASSERT(is_close(stage.cost.parameters.total(), ranks.parameters_of_stage(s).value()));
        }
        RC_ASSERT(is_close(saved, held.saved_bytes.value()));
        RC_ASSERT(unit == ranks.sharded_unit(r).value());
    }
}

RC_GTEST_PROP(TracedModel, GivesTheTimesOfLayersAndOfDataTrafficBitForBit, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const Assumptions assumed(plan->assumptions);
    const LayerCosts plain(*plan, assumed);
    const BasicLayerCosts<Traced> traced = traced_costs(*plan, assumed);
    for (std::size_t i = 0; i < plan->model.blocks.size(); ++i) {
        const BlockCost &block = plain.of_block(i);
        const BasicBlockCost<Traced> &same = traced.of_block(i);
        RC_ASSERT(same.stored.whole_forward_seconds().value() == block.stored.whole_forward_seconds());
        RC_ASSERT(same.stored.backward_seconds().value() == block.stored.backward_seconds());
        RC_ASSERT(same.recomputed.whole_forward_seconds().value() == block.recomputed.whole_forward_seconds());
        RC_ASSERT(same.recomputed.backward_seconds().value() == block.recomputed.backward_seconds());
        RC_ASSERT(same.sharded_unit.value() == block.sharded_unit);
    }
    const DataRings rings = data_rings(*plan, plain);
    const BasicDataRings<Traced> same = data_rings(*plan, traced);
    const DataLoad load{
        .parameters = {.dense = 3e8, .experts = 7e8}, .forward_seconds = 0.02, .backward_seconds = 0.05};
    const BasicDataLoad<Traced> same_load{
        .parameters = {.dense = field(3e8, "dense", "/d"), .experts = field(7e8, "experts", "/e")},
        .forward_seconds = field(0.02, "forward", "/f"),
        .backward_seconds = field(0.05, "backward", "/b")};
    RC_ASSERT(BasicDataTraffic<Traced>(*plan, traced, same, same_load, assumed).exposed_seconds().value()
              == DataTraffic(*plan, plain, rings, load, assumed).exposed_seconds());
    RC_ASSERT(optimizer_seconds<Traced>(*plan, traced, same, stage_copies<Traced>(*plan), same_load.parameters, assumed)
                  .value()
              == optimizer_seconds<double>(*plan, plain, rings, stage_copies(*plan), load.parameters, assumed));
}

template <Number N>
BasicRankHolding<N> holding_of(const std::function<N(double, const char *)> &number, bool sharded, bool head,
                               bool both) {
    return {.parameters = number(3e9, "parameters"),
            .weights_bytes = number(6e9, "weights"),
            .gradients_bytes = number(1.2e10, "gradients"),
            .moments_bytes = number(2.4e10, "moments"),
            .sharded_unit = number(2e8, "unit"),
            .largest_chunk = number(1e9, "chunk"),
            .is_sharded = sharded,
            .has_head = head,
            .has_both_ends = both};
}

RC_GTEST_PROP(TracedModel, GivesTheKindsOfMemoryBitForBit, (bool sharded, bool head)) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const bool both = head && plan->parallelism.pipeline == 1;
    const Assumptions assumed(plan->assumptions);
    const LayerCosts plain(*plan, assumed);
    const BasicLayerCosts<Traced> traced = traced_costs(*plan, assumed);
    const auto number = [](double value, const char *name) { return field(value, name, "/n"); };
    const LogitBytes logits(*plan, plain);
    const BasicLogitBytes<Traced> same_logits(*plan, traced);
    RC_ASSERT(same_logits.loss_bytes().value() == logits.loss_bytes());
    RC_ASSERT(same_logits.waiting_bytes(3).value() == logits.waiting_bytes(3));
    const double outside = outside_bytes(*plan, plain);
    RC_ASSERT(outside_bytes(*plan, traced).value() == outside);
    const double transient = 3e9;
    RC_ASSERT(runtime_bytes(*plan, assumed, number(outside, "outside"), number(transient, "transient")).value()
              == runtime_bytes(*plan, assumed, outside, transient));
    const double needed = 2e10;
    RC_ASSERT(reserved_bytes(*plan, assumed, number(needed, "needed"), number(transient, "transient")).value()
              == reserved_bytes(*plan, assumed, needed, transient));
    const RankBuffers buffers = rank_buffers(
        *plan, plain, holding_of<double>([](double value, const char *) { return value; }, sharded, head, both),
        assumed);
    const BasicRankBuffers<Traced> same =
        rank_buffers(*plan, traced, holding_of<Traced>(number, sharded, head, both), assumed);
    RC_ASSERT(same.gathered_weights.value() == buffers.gathered_weights);
    RC_ASSERT(same.unreduced_gradients.value() == buffers.unreduced_gradients);
    RC_ASSERT(same.communication().value() == buffers.communication());
    RC_ASSERT(same.head_gradient.value() == buffers.head_gradient);
    RC_ASSERT(same.waiting_gradient.value() == buffers.waiting_gradient);
    RC_ASSERT(same.bucket.value() == buffers.bucket);
    RC_ASSERT(same.update_temporaries.value() == buffers.update_temporaries);
    const bool waits = *rc::gen::arbitrary<bool>();
    for (const PeakMoment moment : {PeakMoment::forward, PeakMoment::loss, PeakMoment::backward,
                                    PeakMoment::weight_gradient, PeakMoment::optimizer}) {
        const BasicPeakBytes<double> peak = bytes_at<double>(moment, *plan, plain, buffers,
                                                             {.saved_bytes = 3e9,
                                                              .parts = 2,
                                                              .in_flight = 5,
                                                              .logits_wait = waits,
                                                              .logit_microbatches = 4,
                                                              .working_bytes = 7e8},
                                                             assumed);
        const BasicPeakBytes<Traced> same_peak = bytes_at<Traced>(moment, *plan, traced, same,
                                                                  {.saved_bytes = number(3e9, "saved"),
                                                                   .parts = number(2, "parts"),
                                                                   .in_flight = number(5, "in_flight"),
                                                                   .logits_wait = waits,
                                                                   .logit_microbatches = number(4, "microbatches"),
                                                                   .working_bytes = number(7e8, "working")},
                                                                  assumed);
        RC_ASSERT(same_peak.activations.value() == peak.activations);
        RC_ASSERT(same_peak.logits.value() == peak.logits);
        RC_ASSERT(same_peak.buffers.value() == peak.buffers);
    }
}

RC_GTEST_PROP(TracedModel, GivesTheRunBitForBit, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const RunInputs<double> inputs{.parameters = 7e9, .step_tokens = 4e6, .step_seconds = 3.7};
    const RunEstimate plain = run_estimate(*plan, inputs);
    const BasicRunEstimate<Traced> traced =
        run_estimate(*plan,
                     RunInputs<Traced>{.parameters = field(inputs.parameters, "parameters", "/p"),
                                       .step_tokens = field(inputs.step_tokens, "tokens", "/t"),
                                       .step_seconds = field(inputs.step_seconds, "seconds", "/s")});
    RC_ASSERT(traced.days.value() == plain.days);
    RC_ASSERT(traced.rental_dollars.value() == plain.rental_dollars);
    RC_ASSERT(traced.energy_joules.value() == plain.energy_joules);
    RC_ASSERT(traced.checkpoint_bytes.value() == plain.checkpoint_bytes);
    RC_ASSERT(traced.checkpoint_interval_seconds.value() == plain.checkpoint_interval_seconds);
    RC_ASSERT(traced.expected_failures.value() == plain.expected_failures);
}

/// Evaluates a derivation with the leaves of this field multiplied by a factor.
double with_leaf(Derivation node, const std::string &field, double factor) {
    const std::function<void(Derivation &)> evaluate = [&](Derivation &at) {
        if (at.inputs.empty()) {
            if (at.field == field)
                at.value *= factor;
            return;
        }
        for (Derivation &input : at.inputs.own())
            evaluate(input);
        at.value = testing::recomputed(at);
    };
    evaluate(node);
    return node.value;
}

/// Changing a leaf in the graph of a layer's activations has the same effect as changing the plan's field and running
/// the model.
RC_GTEST_PROP(TracedModel, MovesWithItsLeavesAsTheModelDoes, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    struct Change {
        const char *field;
        void (*grow)(Plan &);
    };
    const Change changes[] = {{"/batch/sequence_length", [](Plan &p) { p.batch.sequence_length *= 101; }},
                              {"/batch/micro_sequences", [](Plan &p) { p.batch.micro_sequences *= 101; }}};
    const Change &change = changes[*rc::gen::inRange(0, 2)];
    Plan small = *plan;
    Plan large = *plan;
    change.grow(large);
    for (std::size_t i = 0; i < small.model.blocks.size(); ++i) {
        const TracedLayers traced(small);
        const auto saved = [&](const Traced &bytes) { return bytes.derivation({"saved", "saved"}, "sum"); };
        const BasicBlockMemory<Traced> memory = block_memory(small, traced.operations(i), traced.shape);
        const LayerCosts again(large, Assumptions(large.assumptions));
        const double grown = with_leaf(saved(memory.stored_bytes), change.field, 101);
        const double input = with_leaf(saved(memory.recomputed_bytes), change.field, 101);
        const double rerun = again.of_block(i).stored.saved_bytes;
        RC_ASSERT(std::abs(grown - rerun) <= 1e-9 * rerun);
        RC_ASSERT(std::abs(input - again.of_block(i).recomputed.saved_bytes) <= 1e-9 * input);
    }
}

} // namespace
} // namespace meshwright
