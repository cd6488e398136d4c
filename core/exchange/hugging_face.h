// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"

#include <nlohmann/json_fwd.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Imports a Hugging Face `config.json`. Notes report omitted vision and audio towers, and architectures with an
/// unverified parameter count.
/// @param name  model name; a size in it is compared with the parameter count. If empty, the file's `_name_or_path`
/// is used.
/// @param read  if not null, receives the pointers of all values that the model is built from
/// @throws InputError with a pointer into the file: unknown architecture, missing or invalid field
Model import_hugging_face(const nlohmann::ordered_json &json, std::string_view name = {},
                          std::set<std::string> *read = nullptr);

std::vector<std::string> importable_model_types();

/// A warning if the size in a name ("Qwen3-32B") differs by more than 10% from each of the model's total, active and
/// non-embedding parameter counts. Empty if it matches or the name has no size.
std::string size_warning(const Model &model, std::string_view name);

} // namespace meshwright
