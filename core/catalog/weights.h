// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace meshwright {

/// How tensor parallelism divides a weight (Megatron-LM, arXiv 1909.08053, section 3).
enum class Split { column, row, vocabulary, replicated };

/// What a weight belongs to.
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

/// One weight of a model: a matrix with its bias, or vectors.
struct Weight {
    std::string_view name; ///< "attention.query_key_value", a literal
    WeightKind kind = WeightKind::other;
    std::int64_t inputs = 0; ///< K of its matrix multiply; 0: not a matrix
    std::int64_t outputs = 0; ///< N of its matrix multiply
    std::int64_t parameters = 0; ///< of one copy, exact, bias included
    std::int64_t bias = 0; ///< of them; whole on every rank where the matrix is split by rows
    std::int64_t copies = 1; ///< experts; 1 for everything else
    Split split = Split::replicated;
    /// A column-split weight that consists of this many indivisible groups (KV heads) is copied where more ranks ask
    /// for it; 0: divides freely.
    std::int64_t groups = 0;
    /// How many of the outputs the groups are about (keys and values); the rest divides freely. 0: all of them.
    std::int64_t grouped_outputs = 0;
};

/// Whether a mixer's weight multiplies what its attention core gives; the others feed the core.
bool closes_mixer(const Weight &weight);

/// The weights of one layer of this kind, in the order in which the forward pass uses them.
std::vector<Weight> weights_of(const Model &model, const Block &block);
/// Embedding, position table, embedding norm: on the first stage.
std::vector<Weight> input_weights(const Model &model);
/// What the last stage holds a second time of a tied embedding: the output layer is vocabulary x hidden alone.
/// Prediction modules need all that the first stage has. Source: Megatron-Core, gpt_model.py: LanguageModelEmbedding is
/// built where pre_process or a prediction module is.
std::vector<Weight> tied_copy_weights(const Model &model);
/// Final norm and, where the embedding is not tied, the head: on the last stage.
std::vector<Weight> output_weights(const Model &model);
/// One multi-token-prediction module: two norms, the joining projection, its layer and a final norm. Embedding and head
/// are shared with the model.
std::vector<Weight> prediction_module_weights(const Model &model);

/// Parameters by what they are. `total` counts trained weights once, MTP modules apart.
struct Parameters {
    double total = 0;
    double active =
        0; ///< used by one token: routed experts count experts_per_token of them; embedding and head included
    double embedding = 0; ///< token embedding and, untied, the head
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
