// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

struct ListedNic {
    std::string name;
    double bits_per_second = 0; ///< 0 if not stated
    std::string link_layer; ///< "InfiniBand" or "Ethernet"; empty if not stated
    std::string state; ///< "Active", "Down"; empty if not stated
    /// Closest relation to an accelerator: "PIX", "PXB", "PHB", "NODE", "SYS"; empty if not stated.
    std::string nearest;
};

/// One accelerator as described by `nvidia-smi -q -x`. Texts are empty and numbers unset if it prints "N/A".
struct ListedDevice {
    std::string product;
    std::string architecture;
    double memory_bytes = 0;
    double used_bytes = 0;
    std::optional<double> power_limit_watts;
    std::optional<double> highest_power_limit_watts;
    std::optional<double> pcie_generation;
    std::optional<double> pcie_width; ///< number of PCIe lanes
    std::string mig; ///< "Enabled", "Disabled"
    std::size_t mig_devices = 0;
    std::string nvlink_state; ///< state that the fabric manager reports: "Completed"
};

/// An entry of a listing as printed. The import reports which entries it understood and which it ignored.
struct ListedEntry {
    std::string name;
    std::string printed;
    std::string field; ///< JSON pointer into the node or "/measured"; empty if unused
};

/// Relations between accelerators: relation[i][j] is "NV18", "PIX", ... and "X" on the diagonal.
using RelationMatrix = std::vector<std::vector<std::string>>;

/// Facts about a machine from one or several listings, which complement each other.
struct NodeListing {
    std::optional<std::int64_t> accelerators; ///< number of accelerators in the machine; a listing may describe fewer
    std::vector<ListedDevice> devices;
    std::string driver;
    std::string cuda;
    RelationMatrix relations; ///< kinds of links between accelerators; empty if not stated
    std::vector<ListedNic> nics;
    /// Number of NUMA nodes: those with accelerators according to `nvidia-smi topo`, all of them according to `lstopo`.
    std::optional<std::int64_t> numa_nodes;
    std::vector<ListedEntry> entries;
    std::vector<std::string> unread; ///< skipped lines by kind, such as "3 other lines of lstopo"
};

/// Each function reads one kind of listing into the node. @throws InputError for a truncated or damaged listing
void read_topology(std::string_view text, NodeListing &node); ///< `nvidia-smi topo -m`
void read_device_query(std::string_view text, NodeListing &node); ///< `nvidia-smi -q -x`
void read_infiniband(std::string_view text, NodeListing &node); ///< `ibstat`
void read_hardware_tree(std::string_view text, NodeListing &node); ///< `lstopo` as text

bool is_topology(std::string_view text);
bool is_device_query(std::string_view text);
bool is_infiniband(std::string_view text);
bool is_hardware_tree(std::string_view text);

} // namespace meshwright
