// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layers.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

namespace meshwright {

namespace {

constexpr std::string_view pass_titles[] = {"forward", "input gradient", "weight gradient"};

} // namespace

const BasicLayerCost<Traced> &traced_cost_of(const ExplainContext &context, const CarriedLayers &layers) {
    const BasicBlockCost<Traced> &block = context.traced.of_block(layers.block);
    return layers.recomputed ? block.recomputed : block.stored;
}

const Traced &of_pass(const BasicLayerCost<Traced> &cost, Pass pass) {
    return pass == Pass::forward       ? cost.forward_seconds
        : pass == Pass::input_gradient ? cost.input_gradient_seconds
                                       : cost.weight_gradient_seconds;
}

Derivation layer_compute(const ExplainContext &context, std::size_t index) {
    const Block &block = context.plan.model.blocks[index];
    return sum_of({name_of_block(context.plan.model, index),
                   block.name.empty() ? "one layer" : fmt::format("one {} layer", block.name), time},
                  "forward and backward pass of one microbatch",
                  {pass_compute(context, index, Pass::forward, "forward"),
                   pass_compute(context, index, Pass::input_gradient, "input_gradient"),
                   pass_compute(context, index, Pass::weight_gradient, "weight_gradient")});
}

Derivation pass_compute(const ExplainContext &context, std::size_t index, Pass pass, std::string name) {
    return of_pass(context.traced.of_block(index).stored, pass)
        .derivation({std::move(name), std::string(pass_titles[static_cast<int>(pass)]), time},
                    "host launches lengthen both halves of the backward pass by the same factor");
}

Derivation layer_again(const ExplainContext &context, const CarriedLayers &layers, std::string name) {
    return traced_cost_of(context, layers).recompute_seconds.derivation({std::move(name), {}, time}, {});
}

} // namespace meshwright
