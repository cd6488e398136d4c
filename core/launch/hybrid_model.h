// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"
#include "launch/model_shape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// A pattern of layers with a single part and one norm each, in Megatron-LM's notation: M Mamba, * attention, + latent
/// attention, - feed-forward, E experts; | ends a pipeline stage (megatron/core/models/hybrid at d98e8a64ddf3).
struct HybridLayers {
    std::string pattern; ///< layer pattern up to "/"; the part after it describes MTP modules
    std::int64_t state_dim = 128; ///< state dimension of the Mamba layers
    std::int64_t head_dim = 64;
    std::int64_t groups = 8;
    std::optional<std::int64_t> heads; ///< number of heads; 2 x hidden size / head_dim if unset
};

/// Layers of each pipeline stage; a single element if the pattern does not mark stages.
std::vector<std::int64_t> hybrid_stages(const std::string &pattern);

/// The model for a shape with these layers. Empty if sizes are missing or if plans have no equivalent for a layer in
/// the pattern.
std::optional<Model> hybrid_model_of(const HybridLayers &hybrid, const ModelShape &shape, const std::string &name,
                                     OptionList &options);

} // namespace meshwright
