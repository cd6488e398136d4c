// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>

namespace meshwright {

class FieldReader;
struct Cluster;

/// Constants of the registry that a machine's measured runs override, by name.
using MeasuredConstants = std::map<std::string, double>;

/// Reads an accelerator's or a cluster's "constants", and reports values outside a constant's range.
void read_measured_constants(FieldReader &reader, MeasuredConstants &measured);
void write_measured_constants(nlohmann::ordered_json &value, const MeasuredConstants &measured);

/// Constants of a cluster's accelerator, overridden by the constants of the cluster.
MeasuredConstants measured_constants(const Cluster &cluster);

} // namespace meshwright
