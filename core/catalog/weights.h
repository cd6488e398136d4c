// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace meshwright {

/// How tensor parallelism divides a weight (Megatron-LM, arXiv 1909.08053, section 3).
enum class Split { column, row, vocabulary, replicated };

enum class WeightKind {
    mixer,
    feed_forward,
    routed_expert,
    shared_expert,
    router,
    norm,
    embedding,
    position,
    head,
    other
};

struct Weight {
    std::string_view name; ///< "attention.query_key_value"; points to a string literal
    WeightKind kind = WeightKind::other;
    std::int64_t inputs = 0; ///< K of its GEMM; 0 if it is not a matrix
    std::int64_t outputs = 0; ///< N of its GEMM
    std::int64_t parameters = 0; ///< exact count per copy, including the bias
    std::int64_t bias = 0; ///< elements of the bias, included in `parameters`; replicated if the matrix is row-parallel
    std::int64_t copies = 1; ///< number of experts; 1 for other weights
    Split split = Split::replicated;
    /// Number of indivisible groups (KV heads) in a column-parallel weight; 0 if the weight divides freely. If there
    /// are more tensor-parallel ranks than groups, the groups are replicated.
    std::int64_t groups = 0;
    /// Number of outputs in these groups (keys and values); the other outputs divide freely. 0 if all are grouped.
    std::int64_t grouped_outputs = 0;
};

/// Whether a mixer's weight is applied to the output of the attention core rather than to its input.
bool closes_mixer(const Weight &weight);

/// The weights of one layer of this block, in the order of the forward pass.
std::vector<Weight> weights_of(const Model &model, const Block &block);
/// Embedding, position embedding and embedding norm. They are on the first stage.
std::vector<Weight> input_weights(const Model &model);
/// Weights that the last stage duplicates for a tied embedding. Without MTP modules, only vocabulary x hidden for the
/// output layer; with MTP modules, all input weights. Source: Megatron-Core, gpt_model.py: LanguageModelEmbedding is
/// built on stages with pre_process or an MTP module.
std::vector<Weight> tied_copy_weights(const Model &model);
/// Final norm and, unless the embedding is tied, the LM head. These weights are on the last stage.
std::vector<Weight> output_weights(const Model &model);
/// Weights of one multi-token-prediction module: two norms, the projection that combines its two inputs, one layer and
/// a final norm. The module shares the embedding and the LM head with the model.
std::vector<Weight> prediction_module_weights(const Model &model);

/// Parameter counts by part of the model. `total` counts every trained weight once, without MTP modules.
struct Parameters {
    double total = 0;
    /// Parameters active per token, with experts_per_token routed experts; includes embedding and LM head.
    double active = 0;
    double embedding = 0; ///< token embedding and, if not tied, the LM head
    double mtp = 0;
    double mixer = 0;
    double feed_forward = 0;
    double routed_experts = 0;
    double shared_experts = 0;
    double routers = 0;
    double norms = 0;
    double positions = 0;
    double other = 0;
    bool operator==(const Parameters &) const = default;
};

Parameters parameters_of(const Model &model);

} // namespace meshwright
