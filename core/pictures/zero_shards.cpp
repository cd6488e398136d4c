// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/zero_shards.h"

#include "formulas/memory.h"

namespace meshwright {

namespace {

double sent_bytes(const ModelStates &model, int ranks, int stage) {
    const double gradients = model.parameters * model.gradient_bytes;
    const double weights = model.parameters * model.weight_bytes;
    if (stage == 0)
        return formula::ring_all_reduce_bytes(ranks, gradients);
    const double gathers = stage == 3 ? 2 : 1;
    return formula::ring_half_bytes(ranks, gradients) + gathers * formula::ring_half_bytes(ranks, weights);
}

} // namespace

ZeroShards zero_shards(const ModelStates &model, int ranks, int stage) {
    const auto shard = [&](const auto &bytes, double each) {
        return StateShard{.whole = bytes(model.parameters, ranks, 0, each),
                          .held = bytes(model.parameters, ranks, stage, each)};
    };
    return {.stage = stage,
            .ranks = ranks,
            .weights = shard(formula::zero_weights_bytes, model.weight_bytes),
            .gradients = shard(formula::zero_gradients_bytes, model.gradient_bytes),
            .optimizer = shard(formula::zero_optimizer_bytes, model.optimizer_bytes),
            .held = formula::zero_memory_bytes(model.parameters, ranks, stage, model.weight_bytes, model.gradient_bytes,
                                               model.optimizer_bytes),
            .sent_bytes = sent_bytes(model, ranks, stage)};
}

} // namespace meshwright
