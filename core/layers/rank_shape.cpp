// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/rank_shape.h"

#include "formulas/rank_memory.h"

#include <algorithm>

namespace meshwright {

RankShape rank_shape(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    const auto tensor = static_cast<double>(parallelism.tensor);
    return {.tokens = static_cast<double>(plan.batch.micro_sequences) * static_cast<double>(plan.batch.sequence_length)
                / static_cast<double>(parallelism.context),
            .sequence = static_cast<double>(plan.batch.sequence_length),
            .context = static_cast<double>(parallelism.context),
            .tensor = tensor,
            .sequence_ways = parallelism.sequence_parallel ? tensor : 1,
            .expert_ways = parallelism.sequence_parallel ? tensor : 1,
            .logits_ways = plan.stack.gathers_logits ? 1 : tensor,
            .expert = static_cast<double>(parallelism.expert),
            .expert_tensor = static_cast<double>(parallelism.expert_tensor),
            .activation_bytes = formula::wide_element_bytes(bytes_of(plan.precision.compute))};
}

double hidden_state_bytes(const RankShape &shape, const Model &model) {
    return formula::kept_tensor_bytes(shape.tokens, static_cast<double>(model.hidden), shape.activation_bytes);
}

double outputs_per_rank(const Weight &weight, double ways) {
    const auto outputs = static_cast<double>(weight.outputs);
    if (weight.split != Split::column && weight.split != Split::vocabulary)
        return outputs;
    if (weight.groups == 0)
        return outputs / ways;
    const double grouped = weight.grouped_outputs > 0 ? static_cast<double>(weight.grouped_outputs) : outputs;
    return (outputs - grouped) / ways + grouped / std::min(ways, static_cast<double>(weight.groups));
}

double inputs_per_rank(const Weight &weight, double ways) {
    const auto inputs = static_cast<double>(weight.inputs);
    return weight.split == Split::row ? inputs / ways : inputs;
}

double parameters_per_rank(const Weight &weight, const RankShape &shape) {
    const bool routed = weight.kind == WeightKind::routed_expert;
    const double ways = routed ? shape.expert_tensor : shape.tensor;
    const auto parameters = static_cast<double>(weight.parameters);
    double one = parameters;
    if (weight.split == Split::column && weight.outputs > 0)
        one = parameters * outputs_per_rank(weight, ways) / static_cast<double>(weight.outputs);
    else if (weight.split == Split::row) // RowParallelLinear adds its bias after the reduction over ranks
        one = (parameters - static_cast<double>(weight.bias)) / ways + static_cast<double>(weight.bias);
    else if (weight.split != Split::replicated)
        one = parameters / ways;
    return one * static_cast<double>(weight.copies) / (routed ? shape.expert : 1);
}

RankParameters rank_parameters(const std::vector<Weight> &weights, const RankShape &shape) {
    RankParameters sum;
    for (const Weight &weight : weights)
        (weight.kind == WeightKind::routed_expert ? sum.experts : sum.dense) += parameters_per_rank(weight, shape);
    return sum;
}

double largest_weight(const std::vector<Weight> &weights, const RankShape &shape) {
    double largest = 0;
    for (const Weight &weight : weights)
        largest = std::max(largest, parameters_per_rank(weight, shape));
    return largest;
}

} // namespace meshwright
