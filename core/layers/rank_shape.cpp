// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/rank_shape.h"

#include "formulas/rank_memory.h"

#include <algorithm>

namespace meshwright {

template <Number N>
BasicRankShape<N> rank_shape(const Plan &plan) {
    using enum Quantity;
    const Parallelism &parallelism = plan.parallelism;
    const auto field = [](auto value, std::string_view name, std::string_view title, std::string_view place,
                          Quantity quantity = count) {
        return read<N>(static_cast<double>(value), {Origin::plan, name, title, quantity, place});
    };
    const N sequence = field(plan.batch.sequence_length, "sequence", "tokens per sequence", "/batch/sequence_length");
    const N context = field(parallelism.context, "context", "context-parallel ranks", "/parallelism/context");
    const N tensor = field(parallelism.tensor, "tensor", "tensor-parallel ranks", "/parallelism/tensor");
    const N micro_sequences =
        field(plan.batch.micro_sequences, "micro_sequences", "sequences per microbatch", "/batch/micro_sequences");
    const N sequence_ways = label(select(field(parallelism.sequence_parallel ? 1 : 0, "sequence_parallel",
                                               "1 if norms and residuals are sharded (sequence parallelism)",
                                               "/parallelism/sequence_parallel", number),
                                         tensor, N(1)),
                                  {"ways", "ranks that split a microbatch's tokens", count,
                                   "Korthikanti et al., arXiv 2205.05198, section 4.2.2"});
    const N format = field(bytes_of(plan.precision.compute), "format_bytes", "bytes per element in the compute format",
                           "/precision/compute", bytes);
    return {.tokens = label(micro_sequences * sequence / context,
                            {"tokens", "tokens of a microbatch on the rank", count, "definition"}),
            .sequence = sequence,
            .context = context,
            .tensor = tensor,
            .sequence_ways = sequence_ways,
            .expert_ways = sequence_ways,
            .logits_ways = plan.stack.gathers_logits
                ? read<N>(1,
                          {Origin::software, "tensor", "vocabulary shards of the logits", count, "/stack",
                           "this stack gathers logits on every rank"})
                : tensor,
            .expert = field(parallelism.expert, "expert", "expert-parallel ranks", "/parallelism/expert"),
            .expert_tensor = field(parallelism.expert_tensor, "expert_tensor", "expert tensor-parallel ranks",
                                   "/parallelism/expert_tensor"),
            .activation_bytes = label(formula::wide_element_bytes(format),
                                      {"element_bytes", "bytes per element outside low-precision matmuls", bytes})};
}
template BasicRankShape<double> rank_shape(const Plan &);
template BasicRankShape<Traced> rank_shape(const Plan &);

template <Number N>
N hidden_state_bytes(const BasicRankShape<N> &shape, const Model &model) {
    return label(formula::saved_tensor_bytes(shape.tokens, model_property<N>("hidden", "hidden size", model.hidden),
                                             shape.activation_bytes),
                 {"hidden_bytes", "activations of a microbatch between two layers", Quantity::bytes});
}
template double hidden_state_bytes(const BasicRankShape<double> &, const Model &);
template Traced hidden_state_bytes(const BasicRankShape<Traced> &, const Model &);

template <Number N>
N outputs_per_rank(const Weight &weight, const N &ways) {
    using formula::min;
    const N outputs = model_property<N>("outputs", "output features of the matrix", weight.outputs);
    if (weight.split != Split::column && weight.split != Split::vocabulary)
        return outputs;
    if (weight.groups == 0)
        return label(outputs / ways, {"outputs_on_rank", "output features per rank", Quantity::count});
    const N grouped = model_property<N>("grouped", "output features in indivisible groups",
                                        weight.grouped_outputs > 0 ? weight.grouped_outputs : weight.outputs);
    const N groups = model_property<N>("groups", "number of indivisible groups", weight.groups);
    return label(
        (outputs - grouped) / ways + grouped / min(ways, groups),
        {"outputs_on_rank", "output features per rank", Quantity::count,
         "grouped-query attention, arXiv 2305.13245: groups are replicated if there are more ranks than groups"});
}
template double outputs_per_rank(const Weight &, const double &);
template Traced outputs_per_rank(const Weight &, const Traced &);

template <Number N>
N inputs_per_rank(const Weight &weight, const N &ways) {
    const N inputs = model_property<N>("inputs", "input features of the matrix", weight.inputs);
    return weight.split == Split::row
        ? label(inputs / ways, {"inputs_on_rank", "input features per rank", Quantity::count})
        : inputs;
}
template double inputs_per_rank(const Weight &, const double &);
template Traced inputs_per_rank(const Weight &, const Traced &);

template <Number N>
N parameters_per_rank(const Weight &weight, const BasicRankShape<N> &shape) {
    const bool routed = weight.kind == WeightKind::routed_expert;
    const N &ways = routed ? shape.expert_tensor : shape.tensor;
    const N parameters =
        model_property<N>("weights", "parameters per copy of the matrix", weight.parameters, Quantity::parameters);
    N one = parameters;
    if (weight.split == Split::column && weight.outputs > 0) {
        one = parameters * outputs_per_rank(weight, ways)
            / model_property<N>("outputs", "output features of the matrix", weight.outputs);
    } else if (weight.split == Split::row) { // RowParallelLinear adds its bias after the reduction over ranks
        const N bias = weight.bias == 0
            ? N(0)
            : model_property<N>("bias", "bias, replicated on every rank", weight.bias, Quantity::parameters);
        one = (parameters - bias) / ways + bias;
    } else if (weight.split != Split::replicated) {
        one = parameters / ways;
    }
    const N all = one * model_property<N>("copies", "copies of the matrix per layer", weight.copies);
    return label(routed ? all / shape.expert : all,
                 {weight.name, weight.name, Quantity::parameters,
                  "Megatron-LM, arXiv 1909.08053, section 3; indivisible groups of outputs are replicated"});
}
template double parameters_per_rank(const Weight &, const BasicRankShape<double> &);
template Traced parameters_per_rank(const Weight &, const BasicRankShape<Traced> &);

template <Number N>
BasicRankParameters<N> rank_parameters(const std::vector<Weight> &weights, const BasicRankShape<N> &shape) {
    BasicRankParameters<N> sum;
    for (const Weight &weight : weights)
        (weight.kind == WeightKind::routed_expert ? sum.experts : sum.dense) += parameters_per_rank(weight, shape);
    return sum;
}
template RankParameters rank_parameters(const std::vector<Weight> &, const RankShape &);
template BasicRankParameters<Traced> rank_parameters(const std::vector<Weight> &, const BasicRankShape<Traced> &);

template <Number N>
N largest_weight(const std::vector<Weight> &weights, const BasicRankShape<N> &shape) {
    N largest = 0;
    for (const Weight &weight : weights)
        if (const N held = parameters_per_rank(weight, shape); held > largest)
            largest = held;
    return largest;
}
template double largest_weight(const std::vector<Weight> &, const RankShape &);
template Traced largest_weight(const std::vector<Weight> &, const BasicRankShape<Traced> &);

} // namespace meshwright
