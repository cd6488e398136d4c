// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/traced.h"

#include "formulas/function.h"
#include "formulas/rank_memory.h"
#include "layers/layer_cost.h"
#include "random_plans.h"
#include "recomputed.h"

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

TEST(TracedNumber, OfAFunctionOutsideTheCatalogueIsWrittenOut) {
    static FormulaFunction outside{[](auto a, auto b) { return 3 * a + b; }};
    EXPECT_EQ(outside(field(2, "a", "/x"), field(1, "c", "/y")).derivation({"sum", ""}, "").formula, "3 * a + c");
}

/// The layers of a plan with traced costs.
struct TracedLayers {
    explicit TracedLayers(const Plan &of)
        : plan(of)
        , costs(of, Assumptions(of.assumptions))
        , shape(rank_shape<Traced>(of)) { }

    std::vector<TracedOperation> operations(std::size_t block) const {
        return layer_operations(plan.model, plan.model.blocks[block], shape, costs.device(), plan);
    }
    const Plan &plan;
    LayerCosts costs;
    BasicRankShape<Traced> shape;
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
            RC_ASSERT(operations[k].seconds.forward == plain[k].seconds.forward);
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
