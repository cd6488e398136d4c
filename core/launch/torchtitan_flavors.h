// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/model_shape.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// A model as torchtitan names it. Its configurations state the family and the flavor; the sizes stand in Python.
struct TorchtitanFlavor {
    std::string model; ///< family: "llama3"
    std::string flavor; ///< size inside the family: "405B"
    std::string preset; ///< id of the model preset where layers of several kinds have no shape; may be empty
    ModelShape shape; ///< shape of the model; without sizes if the preset alone describes it
};

/// The flavors of presets/launchers/torchtitan-flavors.csv; empty if the table cannot be read.
std::vector<TorchtitanFlavor> torchtitan_flavors(const Library &library);

/// Nothing where the table has no such flavor. Upper and lower case are the same.
const TorchtitanFlavor *find_flavor(const std::vector<TorchtitanFlavor> &flavors, std::string_view model,
                                    std::string_view flavor);
/// The flavor that a configuration function of torchtitan's main branch is named after: of module "llama3",
/// "llama3_405b_float8" is the 405B. Nothing where the name holds none.
const TorchtitanFlavor *flavor_in(const std::vector<TorchtitanFlavor> &flavors, std::string_view model,
                                  std::string_view config);

} // namespace meshwright
