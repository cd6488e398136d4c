// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Reads a Hugging Face `config.json`. Vision and audio towers are left out, which the notes say; so they do of
/// anything that has no verified count.
/// @param name  what the model is called, to compare its size with; empty: as the file names itself
/// @throws InputError with a pointer into the file: an architecture that is not known, a field that is missing or wrong
Model import_hugging_face(const nlohmann::ordered_json &json, std::string_view name = {});

/// The values of "model_type" that can be imported.
std::vector<std::string> importable_model_types();

/// A sentence that warns where the size in a name ("Qwen3-32B") is more than 10 % off the model's count, all weights,
/// those used by a token or those outside the embedding; empty otherwise, and where the name has no size.
std::string size_warning(const Model &model, std::string_view name);

} // namespace meshwright
