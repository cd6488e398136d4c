// SPDX-License-Identifier: GPL-3.0-or-later
// Operations outside the layers: embedding on the first stage, LM head on the last, and input of the MTP modules.
#include "layers/operation_parts.h"
#include "layers/operations.h"

namespace meshwright {

template <Number N>
std::vector<BasicLayerOperation<N>> head_operations(const Model &model, const BasicRankShape<N> &shape,
                                                    const BasicDevice<N> &device, const Plan &plan) {
    const N hidden = model_property<N>("hidden", "hidden size", model.hidden);
    const N vocabulary = model_property<N>("vocabulary", "vocabulary size", model.vocabulary);
    const N hidden_bytes = label(shape.tokens * hidden * shape.activation_bytes / shape.sequence_ways,
                                 {"hidden_share", "hidden states of the rank's tokens", Quantity::bytes});
    const N logits = label(shape.tokens * vocabulary / shape.logits_ways,
                           {"logits", "logits of a microbatch on the rank", Quantity::count});
    // Three sevenths of the traffic belong to the forward pass (maximum, sum and loss). The rest is the backward pass,
    // which writes the gradient.
    const N moved = label(stack_number<N>("traffic_bytes", "memory traffic per logit, in bytes",
                                          "/stack/logits_traffic_bytes", plan.stack.logits_traffic_bytes)
                              * logits,
                          {"tensor", "memory traffic of the logits", Quantity::bytes});
    const BasicTensorPasses<N> of_norm = passes_over(hidden_bytes, 2, 4);
    const BasicTensorPasses<N> of_loss = passes_over(moved, 3.0 / 7, 4.0 / 7);
    const N columns =
        label(vocabulary / shape.tensor, {"outputs_on_rank", "output features per rank", Quantity::count});
    return {{.name = "norm.final",
             .module = Module::norm,
             .seconds = seconds_of(of_norm, device),
             .moved = of_norm,
             .saved_bytes = saved(hidden_bytes, "norm.final", "input of the norm, saved for its gradient"),
             .output_bytes = hidden_bytes},
            {.name = "head",
             .module = Module::projection,
             .seconds = device.matrix(shape.tokens, columns, hidden, MatrixUnits::half),
             .multiply = {.rows = shape.tokens, .columns = columns, .depth = hidden, .units = MatrixUnits::half},
             .saved_bytes = saved(hidden_bytes, "head", "input of the matmul, saved for the weight gradient"),
             .output_bytes = logits * 2},
            {.name = "cross-entropy",
             .module = Module::projection,
             .seconds = seconds_of(of_loss, device),
             .moved = of_loss,
             .saved_bytes = 0,
             .output_bytes = logits * 4}};
}

template <Number N>
std::vector<BasicLayerOperation<N>> embedding_operations(const Model &model, const BasicRankShape<N> &shape,
                                                         const BasicDevice<N> &device, const Plan &plan) {
    const N elements = label(shape.tokens * model_property<N>("hidden", "hidden size", model.hidden),
                             {"elements", "elements of the token embeddings of a microbatch", Quantity::count});
    const BasicTensorPasses<N> moved = passes_over(elements, 4, 8);
    N saved_bytes = 8 * shape.tokens;
    if (plan.stack.dropout)
        saved_bytes = elements / shape.sequence_ways + saved_bytes;
    return {
        {.name = "embedding",
         .module = Module::residual,
         .seconds = seconds_of(moved, device),
         .moved = moved,
         .saved_bytes = saved(saved_bytes, "embedding", "token ids in 64 bits, and a dropout mask if there is dropout"),
         .output_bytes = elements * shape.activation_bytes / shape.sequence_ways}};
}

template <Number N>
std::vector<BasicLayerOperation<N>> join_operations(const Model &model, const BasicRankShape<N> &shape,
                                                    const BasicDevice<N> &device) {
    const N hidden = model_property<N>("hidden", "hidden size", model.hidden);
    const N columns = label(hidden / shape.tensor, {"outputs_on_rank", "output features per rank", Quantity::count});
    const N depth = label(2 * hidden, {"inputs", "input features: hidden state and embedding", Quantity::count});
    return {{.name = "join",
             .module = Module::projection,
             .seconds = device.matrix(shape.tokens, columns, depth, MatrixUnits::compute),
             .multiply = {.rows = shape.tokens, .columns = columns, .depth = depth, .units = MatrixUnits::compute}}};
}

template std::vector<LayerOperation> head_operations(const Model &, const RankShape &, const Device &, const Plan &);
template std::vector<LayerOperation> embedding_operations(const Model &, const RankShape &, const Device &,
                                                          const Plan &);
template std::vector<LayerOperation> join_operations(const Model &, const RankShape &, const Device &);
template std::vector<TracedOperation> head_operations(const Model &, const BasicRankShape<Traced> &,
                                                      const BasicDevice<Traced> &, const Plan &);
template std::vector<TracedOperation> embedding_operations(const Model &, const BasicRankShape<Traced> &,
                                                           const BasicDevice<Traced> &, const Plan &);
template std::vector<TracedOperation> join_operations(const Model &, const BasicRankShape<Traced> &,
                                                      const BasicDevice<Traced> &);

} // namespace meshwright
