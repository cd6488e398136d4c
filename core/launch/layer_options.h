// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/target_plan.h"

#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

namespace meshwright {

/// Megatron-LM's options with their values, in the order of a script.
using NamedValues = std::vector<std::pair<const char *, nlohmann::ordered_json>>;

/// The options for a model's layers: their number or, for hybrid models, the pattern with the pipeline's stages and the
/// sizes of the mixers.
/// @param target  from megatron_target()
NamedValues layer_options(const TargetPlan &target);

/// The options for the sizes of Gated DeltaNet.
NamedValues delta_net_options(const ModelShape::DeltaNet &net);

} // namespace meshwright
