// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// A model preset that stands for one whose shape is not known.
struct AssumedModel {
    std::string id;
    std::string why;
};

/// The model that a plan is assumed to train if its launch files do not state the shape. Of the presets that the plan's
/// degrees can split, it is the one closest in size to the named model, or to Llama 3.1 8B if the name contains no
/// size.
/// @param document  the plan, complete except for its model
/// @param name  name of the model, which no preset has: "llama/llama3_30b"; may be empty
AssumedModel assumed_model(nlohmann::ordered_json document, std::string_view name, const Library &library);

/// The errors of a plan that do not depend on its assumed model: they also occur, with the same wording, if the plan
/// has a different model.
std::vector<Diagnostic> errors_of_any_model(const nlohmann::ordered_json &document, const Library &library);

/// Parameters that a model's name states: 1.5e9 in "qwen2_1p5b", 0.8e9 in "qwen35_0_8b", 126e6 in "gpt3/126m", about
/// 144e9 in "8x22b". 0 if it states none. A number of active parameters, such as "a3b", does not count.
/// Reads the first 1,000 characters.
double named_parameters(std::string_view name);

} // namespace meshwright
