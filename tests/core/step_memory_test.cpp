// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluate.h"
#include "input/diagnostic.h"
#include "plan/plan_json.h"
#include "preset_plans.h"
#include "step/step_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr double GiB = 1024.0 * 1024 * 1024;

Plan preset_plan(const std::string &id) {
    return plan_from_json(shipped_presets().json(PresetKind::plan, id), shipped_presets());
}

double saved(const MemoryPoint &point) {
    return point.of(StepMemoryKind::activations) + point.of(StepMemoryKind::logits);
}

/// Returns the first point whose operation begins with this text.
const MemoryPoint &point_of(const StepMemory &memory, const std::string &operation) {
    for (std::size_t i = 0; i < memory.points.size(); ++i)
        if (memory.operation(i).starts_with(operation))
            return memory.points[i];
    ADD_FAILURE() << operation;
    return memory.points.front();
}

/// Figures in GiB from the published profile of a Llama 1B in FP32, for steps from the second on.
struct Published {
    const char *what;
    double ours;
    double published;
};

TEST(StepMemory, FollowsThePublishedProfileOfALlama1B) {
    const StepMemory memory = step_memory(preset_plan("llama-1b-profile"), 0);
    const MemoryPoint &start = memory.points.front();
    const MemoryPoint &loss = point_of(memory, "loss: cross-entropy");
    const MemoryPoint &after_loss = point_of(memory, "loss 0 done");
    const MemoryPoint &optimizer = point_of(memory, "optimizer step");
    const auto layer_begins = [&](int layer) {
        return saved(point_of(memory, "backward 0: layer " + std::to_string(layer) + ","));
    };
    const std::vector<Published> figures{
        {"weights", start.of(StepMemoryKind::weights) / GiB, 4.6038},
        {"optimizer", start.of(StepMemoryKind::optimizer) / GiB, 9.2075},
        {"activations at the loss, the peak", saved(loss) / GiB, 45.6168},
        {"activations after the loss", saved(after_loss) / GiB, 36.2424},
        {"activations before the backward pass of the layers", layer_begins(15) / GiB, 31.7677},
        {"activations of one layer", (layer_begins(15) - layer_begins(0)) / 15 / GiB, 1.9723},
        {"gradients after the backward pass", optimizer.of(StepMemoryKind::gradients) / GiB, 4.6038},
        {"temporaries of the optimizer", optimizer.of(StepMemoryKind::buffers) / GiB, 4.6663},
    };
    for (const Published &figure : figures)
        EXPECT_NEAR(figure.ours, figure.published, 0.1 * figure.published) << figure.what;
    // Gradients are freed between steps.
    EXPECT_EQ(start.of(StepMemoryKind::gradients), 0);
    EXPECT_EQ(memory.points.back().of(StepMemoryKind::gradients), 0);
    EXPECT_EQ(memory.operation(memory.peak), "loss: cross-entropy");
    const double peak = memory.points[memory.peak].total() - memory.points[memory.peak].of(StepMemoryKind::runtime);
    EXPECT_NEAR(peak / GiB, 59.49, 0.1 * 59.49);
}

TEST(StepMemory, ReturnsToWhereItStarted) {
    for (const char *id : {"pretrain-70b-1k-design", "deepseek-v3", "llama-1b-profile", "ten-to-25"}) {
        const Plan plan = preset_plan(id);
        for (const std::int64_t rank : {std::int64_t{0}, plan.parallelism.pipeline - 1}) {
            const StepMemory memory = step_memory(plan, rank);
            const MemoryPoint &first = memory.points.front();
            const MemoryPoint &last = memory.points.back();
            for (std::size_t kind = 0; kind < step_memory_kind_count; ++kind)
                EXPECT_NEAR(first.bytes[kind], last.bytes[kind], 1e-6 * GiB)
                    << id << " " << step_memory_kind_names()[kind];
            EXPECT_TRUE(std::is_sorted(
                memory.points.begin(), memory.points.end(),
                [](const MemoryPoint &a, const MemoryPoint &b) { return a.seconds < b.seconds - 1e-9; }));
        }
    }
}

TEST(StepMemory, TheTensorsAtThePeakAddUpToIt) {
    for (const char *id : {"pretrain-70b-1k-design", "deepseek-v3", "llama-1b-profile", "ten-to-25"}) {
        const StepMemory memory = step_memory(preset_plan(id), 0);
        double sum = 0;
        for (const PeakTensors &tensors : memory.peak_tensors)
            sum += tensors.bytes;
        EXPECT_NEAR(sum, memory.points[memory.peak].total(), 1e-6 * sum) << id;
        for (const MemoryPoint &point : memory.points)
            EXPECT_LE(point.total(), memory.points[memory.peak].total()) << id;
    }
}

TEST(StepMemory, WhatLayersKeepAtThePeakIsCountedLayerByLayer) {
    for (const char *id : {"pretrain-70b-1k-design", "deepseek-v3", "llama-1b-profile", "ten-to-25"}) {
        const Plan plan = preset_plan(id);
        const StepMemory memory = step_memory(plan, 0);
        const double layers_of_rank = static_cast<double>(evaluate(plan, Depth::numbers).memory.stages.front().layers);
        int counted = 0;
        for (const PeakTensors &tensors : memory.peak_tensors) {
            double kept = 0;
            double layers = 0;
            for (const PeakLayers &each : tensors.layers) {
                kept += each.microbatches * each.layers * each.bytes;
                layers += each.layers;
            }
            if (tensors.layers.empty())
                continue;
            ++counted;
            EXPECT_EQ(tensors.kind, StepMemoryKind::activations) << id << " " << tensors.name;
            EXPECT_NEAR(kept * memory.saved_factor, tensors.bytes, 1e-9 * tensors.bytes) << id << " " << tensors.name;
            EXPECT_LE(layers, layers_of_rank) << id << " " << tensors.name;
        }
        EXPECT_GT(counted, 0) << id;
    }
}

TEST(StepMemory, EveryTensorAtThePeakHoldsSomething) {
    for (const std::string &id : evaluable_plans()) {
        const Plan plan = preset_plan(id);
        const PlanPipeline pipeline = simulate_pipeline(plan);
        for (const std::int64_t rank : {std::int64_t{0}, plan.parallelism.pipeline / 2, plan.parallelism.pipeline - 1})
            for (const PeakTensors &tensors : step_memory(plan, pipeline, rank).peak_tensors)
                EXPECT_GT(tensors.bytes, -1e-6 * plan.cluster.accelerator.memory_bytes) << id << " " << tensors.name;
    }
}

/// On a rank without a pipeline, with any software, the highest point equals the peak of the memory model, except for
/// the temporaries of an unfused optimizer.
TEST(StepMemory, PeaksWhereTheMemoryModelSaysWithoutAPipeline) {
    for (const std::string &id : evaluable_plans()) {
        const Plan plan = preset_plan(id);
        if (plan.parallelism.pipeline > 1)
            continue;
        const StepMemory memory = step_memory(plan, 0);
        const double model = simulate_pipeline(plan).memory.front().total_bytes();
        EXPECT_NEAR(memory.points[memory.peak].total() / model, 1, 0.06) << id;
    }
}

TEST(StepMemory, HoldsGatheredWeightsOnlyWhileAPassRuns) {
    const Plan plan = preset_plan("torchtitan-8b-128");
    ASSERT_EQ(plan.parallelism.zero_stage, 3);
    const StepMemory memory = step_memory(plan, 0);
    EXPECT_EQ(memory.points.front().of(StepMemoryKind::buffers), 0);
    EXPECT_GT(point_of(memory, "forward 0: layer 3").of(StepMemoryKind::buffers), 0.5e9);
    EXPECT_EQ(memory.points.back().of(StepMemoryKind::buffers), 0);
}

TEST(StepMemory, OfALongScheduleHasAPointAPass) {
    Plan plan = preset_plan("pretrain-8b");
    plan.batch.global_sequences = plan.parallelism.data * plan.batch.micro_sequences * 100'000;
    const StepMemory memory = step_memory(plan, 0);
    EXPECT_FALSE(memory.each_layer);
    EXPECT_LT(memory.points.size(), max_memory_points);
    const StepMemory with_layers = step_memory(preset_plan("pretrain-8b"), 0);
    EXPECT_NEAR(memory.points[memory.peak].total(), with_layers.points[with_layers.peak].total(), 1e6);
    plan.batch.global_sequences *= 10;
    EXPECT_THROW(step_memory(plan, 0), InputError);
}

TEST(StepMemory, RefusesRanksThatThePlanHasNot) {
    const Plan plan = preset_plan("ten-to-25");
    EXPECT_THROW(step_memory(plan, -1), InputError);
    EXPECT_THROW(step_memory(plan, plan.parallelism.pipeline), InputError);
}

} // namespace
} // namespace meshwright
