// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/model_shape.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// A model as torchtitan names it. Configurations state only family and flavor; torchtitan's Python code has the sizes.
struct TorchtitanFlavor {
    std::string model; ///< family: "llama3"
    std::string flavor; ///< size inside the family: "405B"
    std::string preset; ///< id of the model preset if no shape can describe its kinds of layers; may be empty
    ModelShape shape; ///< shape of the model; without sizes if the preset alone describes it
    bool is_removed = false; ///< only releases before v0.2.2 have it
};

/// The flavors of presets/launchers/torchtitan-flavors.csv; empty if the table cannot be read.
std::vector<TorchtitanFlavor> torchtitan_flavors(const Library &library);

/// Finds a flavor by name, ignoring case; null if the table does not have it.
const TorchtitanFlavor *find_flavor(const std::vector<TorchtitanFlavor> &flavors, std::string_view model,
                                    std::string_view flavor);
/// The flavor named by a configuration function of torchtitan's main branch: "llama3_405b_float8" in module "llama3"
/// names the flavor 405B. Null if the name contains no flavor.
const TorchtitanFlavor *flavor_in(const std::vector<TorchtitanFlavor> &flavors, std::string_view model,
                                  std::string_view config);

} // namespace meshwright
