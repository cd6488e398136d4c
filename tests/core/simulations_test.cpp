// SPDX-License-Identifier: GPL-3.0-or-later
#include "sensitivity/simulations.h"

#include "explained_plans.h"
#include "step/plan_pipeline.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

namespace meshwright {

namespace {

using testing::Explained;
using Field = std::pair<const char *, nlohmann::ordered_json>;

Plan plan_with(const char *preset, const std::vector<Field> &fields) {
    nlohmann::ordered_json document = shipped_presets().json(PresetKind::plan, preset);
    for (const auto &[field, value] : fields)
        document[nlohmann::ordered_json::json_pointer(field)] = value;
    return plan_of(document);
}

/// Fields that make sites late occasionally, so that the simulation differs from closed forms.
std::vector<Field> strained(const std::vector<Field> &more = {}) {
    std::vector<Field> fields{{"/outer/step_seconds", 20.0},
                              {"/outer/inner_steps", 64},
                              {"/cluster/wan/jitter_seconds", 0.5},
                              {"/outer/quorum", 72}};
    fields.insert(fields.end(), more.begin(), more.end());
    return fields;
}

/// Multiplies some inputs of a simulation's node by a factor.
Derivation longer(Derivation node, const std::vector<const char *> &inputs, double factor) {
    for (Derivation &input : node.inputs.own())
        for (const char *name : inputs)
            if (input.name == name)
                input.value *= factor;
    return node;
}

const Derivation &figure(const Explained &plan, const char *name) {
    return *find_figure(plan.tree, name);
}

} // namespace

/// The simulation with a faster link gives the same result as a plan with that link.
TEST(Simulations, GiveOfOtherLinksWhatPlansWithThemGive) {
    const Explained plan = testing::explained(plan_with("ten-to-25", strained()));
    const Derivation &stall = figure(plan, "outer.stall_seconds_per_round");
    ASSERT_TRUE(stall.formula.starts_with("outer_loop("));
    Simulations simulations(plan.result);
    for (const auto &[input, pointer] : {std::pair{"uplink", "/cluster/wan/uplink_bits_per_second"},
                                         std::pair{"downlink", "/cluster/wan/downlink_bits_per_second"},
                                         std::pair{"round_trip", "/cluster/wan/round_trip_seconds"}}) {
        const double other = stall.find(input)->value * 0.7;
        const Explained changed = testing::explained(plan_with("ten-to-25", strained({{pointer, other}})));
        EXPECT_DOUBLE_EQ(*simulations.value_of(longer(stall, {input}, 0.7)),
                         changed.result.outer->stall_seconds_per_round)
            << input;
    }
    const Explained slower = testing::explained(plan_with("ten-to-25", strained({{"/outer/step_seconds", 30.0}})));
    EXPECT_DOUBLE_EQ(*simulations.value_of(longer(stall, {"step_seconds"}, 1.5)),
                     slower.result.outer->stall_seconds_per_round);
}

/// Twice the bytes over twice the link rate take the same time.
TEST(Simulations, SendMoreBytesInAsMuchMoreTime) {
    const Explained plan = testing::explained(plan_with("ten-to-25", strained()));
    Simulations simulations(plan.result);
    const Derivation &stall = figure(plan, "outer.stall_seconds_per_round");
    const double more = *simulations.value_of(longer(stall, {"up_bytes", "down_bytes"}, 2));
    EXPECT_GT(more, stall.value);
    EXPECT_NEAR(*simulations.value_of(longer(stall, {"up_bytes", "down_bytes", "uplink", "downlink"}, 2)), stall.value,
                1e-9 * stall.value);
}

/// Doubles every time in the pipeline.
TEST(Simulations, TakeTwiceAsLongWhereEveryOperationDoes) {
    for (const char *preset : {"llama3-405b-16k", "deepseek-v3", "gpt3-175b-1k"}) {
        Explained plan = testing::explained(preset_plan(preset));
        plan.tree = explain(plan.result, simulate_pipeline(plan.result.plan));
        Simulations simulations(plan.result);
        int seen = 0;
        for (const char *name : {"step.bubble_seconds", "step.pipeline_exposed_seconds", "schedule.idle_seconds",
                                 "schedule.ideal_seconds", "schedule.exposed_tensor_seconds"}) {
            const Derivation &node = figure(plan, name);
            if (!node.formula.starts_with("schedule("))
                continue;
            ++seen;
            const bool isOfStep = std::string_view(name).starts_with("step");
            const double twice = *simulations.value_of(longer(node, {"forward", "backward", "hop"}, 2));
            // Only in the executed step does traffic of weights overlap with the passes.
            if (isOfStep) {
                EXPECT_NEAR(twice, 2 * node.value, 1e-9 * node.value + 1e-12) << preset << ' ' << name;
            }
            EXPECT_GE(twice, node.value * (1 - 1e-9)) << preset << ' ' << name;
            EXPECT_LE(*simulations.value_of(longer(node, {"forward"}, 1)), node.value * (1 + 1e-9));
        }
        EXPECT_GT(seen, 2) << preset;
    }
}

/// More microbatches leave the idle time at both ends unchanged, as in a plan with that many.
TEST(Simulations, GiveOfMoreMicrobatchesWhatAPlanWithThemGives) {
    const Explained plan = testing::explained(preset_plan("gpt3-175b-1k"));
    const Derivation &bubble = figure(plan, "step.bubble_seconds");
    ASSERT_TRUE(bubble.formula.starts_with("schedule("));
    const Batch &batch = plan.result.plan.batch;
    const Explained more =
        testing::explained(plan_with("gpt3-175b-1k", {{"/batch/global_sequences", 2 * batch.global_sequences}}));
    Simulations simulations(plan.result);
    EXPECT_NEAR(*simulations.value_of(longer(bubble, {"microbatches"}, 2)), more.result.step.term(StepTerm::bubble),
                1e-9 * bubble.value);
    // A fraction of a microbatch, of a rank or of a schedule is meaningless.
    for (const char *input : {"microbatches", "stages", "schedule"})
        EXPECT_FALSE(simulations.value_of(longer(bubble, {input}, 1.01))) << input;
}

TEST(Simulations, AreNotRunUnderANameThatNoneHas) {
    const Explained plan = testing::explained(preset_plan("pretrain-8b"));
    Simulations simulations(plan.result);
    EXPECT_FALSE(simulations.value_of(by_simulation({"x", "x"}, 1, "no_such", "nothing", {})));
}

} // namespace meshwright
