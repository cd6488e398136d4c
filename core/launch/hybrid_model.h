// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"
#include "launch/model_shape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// A pattern of layers with a single part and one norm each, in Megatron-LM's notation: M Mamba, G Gated DeltaNet,
/// * attention, + latent attention, - feed-forward, E experts; | ends a virtual pipeline stage
/// (megatron/core/models/hybrid at d98e8a64ddf3).
struct HybridLayers {
    std::string pattern; ///< layers of the decoder
    std::string prediction; ///< layers of each MTP module; empty: no MTP modules
    std::int64_t state_dim = 128; ///< state dimension of the Mamba layers
    std::int64_t head_dim = 64;
    std::int64_t groups = 8;
    std::optional<std::int64_t> heads; ///< number of heads; 2 x hidden size / head_dim if unset
};

/// Layers of each pipeline stage; a single element if the pattern does not mark stages.
std::vector<std::int64_t> hybrid_stages(const std::string &pattern);

/// A pattern with its stages marked, followed by the MTP modules: "M-|M*-/*E/*E".
/// @param pattern  without marks  @param stages  layers of each stage, in model order; a single stage is not marked
std::string hybrid_pattern(const std::string &pattern, const std::vector<std::int64_t> &stages,
                           const std::string &prediction, std::int64_t prediction_modules);

/// Why these layers do not make a valid model, without a period; empty if they do.
std::string hybrid_fault(const HybridLayers &hybrid, const ModelShape &shape);

/// The model for a shape with these layers. Empty if sizes are missing or if plans have no equivalent for a layer in
/// the pattern.
std::optional<Model> hybrid_model_of(const HybridLayers &hybrid, const ModelShape &shape, const std::string &name,
                                     OptionList &options);

/// A model as hybrid layers, and the shape of their parts.
struct DescribedHybrid {
    HybridLayers layers; ///< the pattern does not mark stages
    DescribedModel parts;
};

/// Describes a model whose layers have a single part each. Empty if a layer has several parts or norms, or a mixer that
/// no letter stands for.
std::optional<DescribedHybrid> hybrid_of(const Model &model);

} // namespace meshwright
