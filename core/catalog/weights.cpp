// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/weights.h"

#include "catalog/mixer_weights.h"

#include <algorithm>

namespace meshwright {

namespace {

std::int64_t norm_parameters(const Model &model) {
    return model.norm == NormKind::layer ? 2 * model.hidden : model.hidden;
}

Weight norm_of(const Model &model, std::string_view name) {
    return vector_of(name, WeightKind::norm, norm_parameters(model));
}

struct NetworkNames {
    std::string_view gated_up;
    std::string_view up;
    std::string_view down;
};
constexpr NetworkNames dense_names{
    .gated_up = "feed_forward.gate_up", .up = "feed_forward.up", .down = "feed_forward.down"};
constexpr NetworkNames expert_names{.gated_up = "expert.gate_up", .up = "expert.up", .down = "expert.down"};
constexpr NetworkNames shared_names{
    .gated_up = "shared_expert.gate_up", .up = "shared_expert.up", .down = "shared_expert.down"};

void add_feed_forward(std::vector<Weight> &weights, const NetworkNames &names, WeightKind kind, std::int64_t width,
                      std::int64_t hidden, bool gated, bool bias, std::int64_t copies) {
    Weight up = matrix(gated ? names.gated_up : names.up, kind, width, (gated ? 2 : 1) * hidden, Split::column);
    Weight down = matrix(names.down, kind, hidden, width, Split::row);
    for (Weight *weight : {&up, &down}) {
        weight->bias = bias ? weight->outputs : 0;
        weight->parameters += weight->bias;
        weight->copies = copies;
        weights.push_back(*weight);
    }
}

void add_transform(std::vector<Weight> &, const Model &, const Nothing &) { }

void add_transform(std::vector<Weight> &weights, const Model &model, const FeedForward &network) {
    add_feed_forward(weights, dense_names, WeightKind::feed_forward, model.hidden, network.hidden, network.gated,
                     network.bias, 1);
}

void add_transform(std::vector<Weight> &weights, const Model &model, const Experts &experts) {
    Weight router = matrix("router", WeightKind::router, model.hidden, experts.experts, Split::replicated);
    router.parameters += (experts.router_bias ? experts.experts : 0) + (experts.correction_bias ? experts.experts : 0);
    weights.push_back(router);
    const std::int64_t width = experts.latent > 0 ? experts.latent : model.hidden;
    if (experts.latent > 0)
        weights.push_back(
            matrix("experts.latent_down", WeightKind::feed_forward, model.hidden, width, Split::replicated));
    add_feed_forward(weights, expert_names, WeightKind::routed_expert, width, experts.hidden, experts.gated,
                     experts.bias, experts.experts);
    if (experts.latent > 0)
        weights.push_back(
            matrix("experts.latent_up", WeightKind::feed_forward, width, model.hidden, Split::replicated));
    if (experts.shared_hidden > 0)
        add_feed_forward(weights, shared_names, WeightKind::shared_expert, model.hidden, experts.shared_hidden,
                         experts.gated, experts.bias, 1);
    if (experts.shared_gate)
        weights.push_back(matrix("shared_expert.gate", WeightKind::shared_expert, model.hidden, 1, Split::replicated));
}

/// Positions of a layer's norms: before the mixer and the feed-forward network and, with more than two norms, also
/// after them.
struct NormPlaces {
    bool before_mixer, after_mixer, before_transform, after_transform;
    std::int64_t further;
};

NormPlaces norm_places(std::int64_t norms) {
    return {.before_mixer = norms >= 1,
            .after_mixer = norms >= 3,
            .before_transform = norms >= 2,
            .after_transform = norms >= 4,
            .further = std::max<std::int64_t>(norms - 4, 0)};
}

void add(Parameters &sum, const Weight &weight, double layers, double used_copies) {
    const double one = static_cast<double>(weight.parameters) * layers;
    const double all = one * static_cast<double>(weight.copies);
    sum.total += all;
    sum.active += one * used_copies;
    switch (weight.kind) {
    case WeightKind::mixer:
        sum.mixer += all;
        break;
    case WeightKind::feed_forward:
        sum.feed_forward += all;
        break;
    case WeightKind::routed_expert:
        sum.routed_experts += all;
        break;
    case WeightKind::shared_expert:
        sum.shared_experts += all;
        break;
    case WeightKind::router:
        sum.routers += all;
        break;
    case WeightKind::norm:
        sum.norms += all;
        break;
    case WeightKind::embedding:
    case WeightKind::head:
        sum.embedding += all;
        break;
    case WeightKind::position:
        sum.positions += all;
        break;
    case WeightKind::other:
        sum.other += all;
        break;
    }
}

double used_copies(const Weight &weight, const Block &block) {
    const auto *experts = std::get_if<Experts>(&block.transform);
    return static_cast<double>(
        experts != nullptr && weight.kind == WeightKind::routed_expert ? experts->experts_per_token : weight.copies);
}

} // namespace

std::vector<Weight> weights_of(const Model &model, const Block &block) {
    const NormPlaces places = norm_places(block.norms);
    std::vector<Weight> weights;
    if (places.before_mixer)
        weights.push_back(norm_of(model, "norm.input"));
    const std::vector<Weight> mixer = mixer_weights(model, block.mixer);
    weights.insert(weights.end(), mixer.begin(), mixer.end());
    if (places.after_mixer)
        weights.push_back(norm_of(model, "norm.mixer_output"));
    if (places.before_transform)
        weights.push_back(norm_of(model, "norm.transform_input"));
    std::visit([&](const auto &transform) { add_transform(weights, model, transform); }, block.transform);
    if (places.after_transform)
        weights.push_back(norm_of(model, "norm.transform_output"));
    if (places.further > 0)
        weights.push_back(vector_of("norm.further", WeightKind::norm, places.further * norm_parameters(model)));
    if (block.other_parameters > 0)
        weights.push_back(vector_of("other", WeightKind::other, block.other_parameters));
    return weights;
}

std::vector<Weight> input_weights(const Model &model) {
    Weight embedding = matrix("embedding", WeightKind::embedding, 0, model.hidden, Split::vocabulary);
    embedding.parameters = model.vocabulary * model.hidden;
    std::vector<Weight> weights{embedding};
    if (model.learned_positions > 0)
        weights.push_back(vector_of("positions", WeightKind::position, model.learned_positions * model.hidden));
    if (model.embedding_norm)
        weights.push_back(norm_of(model, "norm.embedding"));
    return weights;
}

std::vector<Weight> tied_copy_weights(const Model &model) {
    std::vector<Weight> weights = input_weights(model);
    if (model.mtp_layers == 0)
        weights.resize(1);
    return weights;
}

std::vector<Weight> output_weights(const Model &model) {
    std::vector<Weight> weights;
    if (model.final_norm)
        weights.push_back(norm_of(model, "norm.final"));
    if (!model.tied_embeddings)
        weights.push_back(matrix("head", WeightKind::head, model.hidden, model.vocabulary, Split::vocabulary));
    if (model.head_bias)
        weights.push_back(vector_of("head.bias", WeightKind::head, model.vocabulary));
    if (model.other_parameters > 0)
        weights.push_back(vector_of("other", WeightKind::other, model.other_parameters));
    return weights;
}

std::vector<Weight> prediction_module_weights(const Model &model) {
    if (model.mtp_layers == 0)
        return {};
    std::vector<Weight> weights{
        norm_of(model, "prediction.embedding_norm"), norm_of(model, "prediction.hidden_norm"),
        matrix("prediction.join", WeightKind::other, 2 * model.hidden, model.hidden, Split::column)};
    const std::vector<Weight> layer = weights_of(model, model.blocks.at(static_cast<std::size_t>(model.mtp_block)));
    weights.insert(weights.end(), layer.begin(), layer.end());
    weights.push_back(norm_of(model, "prediction.final_norm"));
    return weights;
}

Parameters parameters_of(const Model &model) {
    Parameters sum;
    std::vector<std::int64_t> layers(model.blocks.size());
    for (const LayerRun &run : model.layers)
        layers.at(static_cast<std::size_t>(run.block)) += run.count;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (layers[i] == 0)
            continue;
        for (const Weight &weight : weights_of(model, model.blocks[i]))
            add(sum, weight, static_cast<double>(layers[i]), used_copies(weight, model.blocks[i]));
    }
    for (const std::vector<Weight> &outside : {input_weights(model), output_weights(model)})
        for (const Weight &weight : outside)
            add(sum, weight, 1, static_cast<double>(weight.copies));
    for (const Weight &weight : prediction_module_weights(model))
        sum.mtp += static_cast<double>(weight.parameters) * static_cast<double>(weight.copies)
            * static_cast<double>(model.mtp_layers);
    return sum;
}

bool closes_mixer(const Weight &weight) {
    return weight.split == Split::row || weight.name == "attention.output_down";
}

} // namespace meshwright
