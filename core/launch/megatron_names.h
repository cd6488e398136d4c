// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/megatron_reading.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// How Megatron-LM's FSDP names what it shards, by ZeRO stage.
inline constexpr std::string_view megatron_sharding[] = {"no_shard", "optim", "optim_grads", "optim_grads_params"};

/// The plan field that one of Megatron-LM's options stands for, as a JSON pointer; empty for options that set none.
std::string_view megatron_field(std::string_view option);
/// The names that a dialect has for one of Megatron-LM's options, the one in effect first, older ones behind it.
std::vector<std::string_view> megatron_spellings(std::string_view option, MegatronDialect dialect);
/// Whether a field states the opposite of Megatron-LM's flag: "model.add_bias_linear".
bool is_opposite_of_megatron(std::string_view field);

/// Megatron-LM's list of layers: "([0]*3+[1]*58)".
std::string layer_list(const std::vector<bool> &chosen);
/// Which layers are chosen, as a number N where all but each N-th are, else as a list.
nlohmann::ordered_json layer_frequency(const std::vector<bool> &chosen);

} // namespace meshwright
