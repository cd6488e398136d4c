// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>

namespace meshwright {

class FieldReader;
struct Cluster;

/// Constants of the registry by name, where measured runs of one machine say other values.
using MeasuredConstants = std::map<std::string, double>;

/// Reads "constants" of an accelerator or a cluster; values outside a constant's range are reported.
void read_measured_constants(FieldReader &reader, MeasuredConstants &measured);
/// Adds "constants"; nothing if there are none.
void write_measured_constants(nlohmann::ordered_json &value, const MeasuredConstants &measured);

/// Those of a cluster's accelerator with its own laid over them.
MeasuredConstants measured_constants(const Cluster &cluster);

} // namespace meshwright
