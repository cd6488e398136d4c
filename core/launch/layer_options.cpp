// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/layer_options.h"

#include <cstdint>
#include <string>

namespace meshwright {

NamedValues delta_net_options(const ModelShape::DeltaNet &net) {
    return {{"--linear-num-key-heads", net.key_heads},
            {"--linear-key-head-dim", net.key_head_dim},
            {"--linear-num-value-heads", net.value_heads},
            {"--linear-value-head-dim", net.value_head_dim},
            {"--linear-conv-kernel-dim", net.convolution_width}};
}

NamedValues layer_options(const TargetPlan &target) {
    if (!target.hybrid)
        return {{"--num-layers", *target.shape.layers}};
    const HybridLayers &hybrid = *target.hybrid;
    const std::vector<std::int64_t> stages =
        target.plan.parallelism.pipeline > 1 ? stage_layers(target.plan) : std::vector<std::int64_t>();
    // Megatron-LM has no default for --spec, which names the modules that the layers consist of.
    NamedValues options{
        {"--hybrid-layer-pattern", hybrid_pattern(hybrid.pattern, stages, hybrid.prediction, target.shape.mtp_layers)},
        {"--spec", nlohmann::ordered_json{"megatron.core.models.hybrid.hybrid_layer_specs", "hybrid_stack_spec"}}};
    if (hybrid.pattern.find('M') != std::string::npos) {
        options.emplace_back("--mamba-state-dim", hybrid.state_dim);
        options.emplace_back("--mamba-head-dim", hybrid.head_dim);
        options.emplace_back("--mamba-num-groups", hybrid.groups);
        if (hybrid.heads)
            options.emplace_back("--mamba-num-heads", *hybrid.heads);
    }
    if (hybrid.pattern.find('G') != std::string::npos)
        for (auto &option : delta_net_options(target.shape.delta_net))
            options.push_back(std::move(option));
    return options;
}

} // namespace meshwright
