// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "measured/node_listing.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

struct Accelerator;

/// Links between the accelerators of a node, from the relation of each pair.
struct NodeLinks {
    std::string relation; ///< most frequent link between two accelerators: "NV18", "SYS"; empty if not stated
    std::int64_t nvlinks = 0; ///< number of NVLinks of one accelerator
    std::int64_t joined = 1; ///< accelerators in one group connected by NVLink; 1: none are connected
    bool all_to_all = false; ///< every pair has NVLink
    double nvlink_bytes_per_second = 0; ///< NVLink bandwidth of one accelerator in one direction
    bool rate_is_assumed = false; ///< whether the rate per link is a default because the accelerator is unknown
};

/// @param accelerator  null if unknown
NodeLinks links_of(const RelationMatrix &relations, const Accelerator *accelerator);

/// Bytes per second and direction of a PCIe link. @param generation  1 to 6; other values return nothing
std::optional<double> pcie_bytes_per_second(int generation, double lanes);

} // namespace meshwright
