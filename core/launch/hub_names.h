// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

class Library;

/// A model's name reduced to lower-case letters and digits, so that "30B-A3B" equals "30b_a3b". A point is left out
/// however it is spelled: "1p7b" equals "1.7B".
std::string bare_name(std::string_view name);

/// The model preset for a repository on the Hugging Face hub, or for a folder named after one:
/// "Qwen/Qwen2.5-7B-Instruct" is "qwen2.5-7b". Chat, instruct and quantized variants count as the same model. Empty if
/// there is no such preset.
std::string preset_of_hub_name(std::string_view name, const Library &library);

/// The model preset for the name of a recipe of Megatron-Bridge or NeMo: "llama32_1b_pretrain_config" gives
/// "llama-3.2-1b". Empty if there is no such preset.
std::string preset_of_recipe(std::string_view name, const Library &library);

} // namespace meshwright
