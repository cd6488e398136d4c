// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace meshwright {

/// The part of a launch configuration to which an option belongs; files are written part by part.
enum class LaunchPart { model, parallelism, batch, precision, recompute, overlap, optimizer, run, checkpoint, data };

/// An option as an exporter writes it.
struct WrittenOption {
    LaunchPart part = LaunchPart::model;
    std::string name; ///< "--num-layers", "parallelism.tp"
    nlohmann::ordered_json value; ///< true for a flag; an array for several words
    std::string field = {}; ///< JSON pointer of the plan field; empty if the option is the same for every plan
    std::string why = {}; ///< reason if the value is not simply the field's value; may be empty
};

} // namespace meshwright
