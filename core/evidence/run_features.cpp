// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/run_features.h"

#include "catalog/architectures.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

/// Weight of each feature in the distance between two runs, in the order of features_of(). For a size, it is the
/// distance per factor of two; for a yes/no feature, the distance if the values differ.
constexpr std::array<float, RunFeatures::count> weights{
    0.35F, // hidden size
    0.15F, // layers
    0.35F, // tokens per microbatch
    0.25F, // accelerators
    0.5F, // tensor
    0.35F, // pipeline
    0.5F, // context
    0.3F, // expert
    0.15F, // microbatches
    0.8F, // whether the model has experts
    0.6F, // whether compute is in low precision
    0.6F, // whether all states are sharded
    0.4F, // whether activations are recomputed
};
constexpr double other_stack = 1;
constexpr double other_architecture = 0.6;
constexpr double other_health = 2; ///< a degraded network alone can determine step time

float doublings(double value) {
    return static_cast<float>(std::log2(std::max(1.0, value)));
}

} // namespace

RunShape shape_of(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    const bool experts = std::any_of(plan.model.blocks.begin(), plan.model.blocks.end(), [](const Block &block) {
        return std::holds_alternative<Experts>(block.transform);
    });
    // A stack with changed fields counts as the stack it is based on, because measurements of that stack still apply.
    return {.stack = plan.stack.based_on.empty() ? plan.stack.id : plan.stack.based_on,
            .architecture = std::string(family_of(plan.cluster.accelerator.architecture)),
            .hidden = plan.model.hidden,
            .layers = plan.model.layer_count(),
            .microbatch_tokens = plan.batch.micro_sequences * plan.batch.sequence_length,
            .accelerators = plan.site_accelerators(),
            .tensor = parallelism.tensor,
            .pipeline = parallelism.pipeline,
            .context = parallelism.context,
            .expert = parallelism.expert,
            .microbatches = plan.microbatches(),
            .experts = experts,
            .low_precision = bytes_of(plan.precision.compute) < 2,
            .fully_sharded = parallelism.zero_stage >= 3,
            .recomputed = plan.recompute.mode != RecomputeMode::none};
}

RunFeatures features_of(const RunShape &shape, NetworkHealth health) {
    const auto number = [](std::int64_t value) { return doublings(static_cast<double>(value)); };
    const auto kind = [](bool is) { return is ? 1.0F : 0.0F; };
    return {.values = {number(shape.hidden), number(shape.layers), number(shape.microbatch_tokens),
                       number(shape.accelerators), number(shape.tensor), number(shape.pipeline), number(shape.context),
                       number(shape.expert), number(shape.microbatches), kind(shape.experts), kind(shape.low_precision),
                       kind(shape.fully_sharded), kind(shape.recomputed)},
            .stack = shape.stack,
            .architecture = std::string(family_of(shape.architecture)),
            .health = health};
}

RunFeatures features_of(const Plan &plan) {
    return features_of(shape_of(plan), plan.cluster.health);
}

double distance(const RunFeatures &a, const RunFeatures &b) {
    float sum = 0;
    for (std::size_t i = 0; i < RunFeatures::count; ++i) {
        const float apart = (a.values[i] - b.values[i]) * weights[i];
        sum += apart * apart;
    }
    double square = sum;
    square += a.stack == b.stack && !a.stack.empty() ? 0 : other_stack;
    square += a.architecture == b.architecture ? 0 : other_architecture;
    square += a.health == b.health ? 0 : other_health;
    return std::sqrt(square);
}

} // namespace meshwright
