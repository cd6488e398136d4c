// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/megatron_reading.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Megatron-LM's names of FSDP sharding strategies, by ZeRO stage.
inline constexpr std::string_view megatron_sharding[] = {"no_shard", "optim", "optim_grads", "optim_grads_params"};

/// JSON pointer of the plan field that one of Megatron-LM's options sets; empty if it sets none.
std::string_view megatron_field(std::string_view option);
/// The names of one of Megatron-LM's options in a dialect: the current name first, then older ones.
std::vector<std::string_view> megatron_spellings(std::string_view option, MegatronDialect dialect);
/// Whether a dialect's field, such as "model.add_bias_linear", means the opposite of Megatron-LM's flag.
bool is_opposite_of_megatron(std::string_view field);

/// A list of layers in Megatron-LM's notation: "([0]*3+[1]*58)".
std::string layer_list(const std::vector<bool> &chosen);
/// Chosen layers in Megatron-Bridge's notation: a number N if all layers except every N-th are chosen, otherwise a
/// list.
nlohmann::ordered_json layer_frequency(const std::vector<bool> &chosen);

} // namespace meshwright
