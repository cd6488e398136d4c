// SPDX-License-Identifier: GPL-3.0-or-later
// `ibstat` of infiniband-diags and `lstopo` of hwloc, as text.
#include "input/diagnostic.h"
#include "measured/log_text.h"
#include "measured/node_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace meshwright {

namespace {

constexpr std::size_t max_nics = 1024;

ListedNic &nic_called(NodeListing &node, std::string_view name) {
    const auto found =
        std::find_if(node.nics.begin(), node.nics.end(), [&](const ListedNic &nic) { return nic.name == name; });
    if (found != node.nics.end())
        return *found;
    if (node.nics.size() >= max_nics)
        throw InputError("", fmt::format("more than {} network adapters", max_nics),
                         "expected the adapters of one node");
    return node.nics.emplace_back(ListedNic{.name = std::string(name)});
}

std::string_view quoted_in(std::string_view line) {
    const std::size_t begin = line.find('"');
    const std::size_t end = begin == std::string_view::npos ? begin : line.find('"', begin + 1);
    return end == std::string_view::npos ? std::string_view() : line.substr(begin + 1, end - begin - 1);
}

} // namespace

bool is_infiniband(std::string_view text) {
    return text.find("CA '") != std::string_view::npos && text.find("Rate:") != std::string_view::npos;
}

void read_infiniband(std::string_view text, NodeListing &node) {
    const std::string plain = plain_log(text);
    std::string name;
    std::size_t others = 0;
    for (const std::string_view whole : log_lines(plain)) {
        const std::string_view line = log_trimmed(whole);
        if (line.starts_with("CA '")) {
            name = line.substr(4, std::min(line.find('\'', 4), line.size()) - 4);
            nic_called(node, name);
        } else if (name.empty()) {
            continue;
        } else if (const auto rate = line.starts_with("Rate:") ? number_after(line, "Rate:") : std::nullopt) {
            double &fastest = nic_called(node, name).bits_per_second; // an adapter may have several ports
            if (*rate >= 0 && *rate <= 1e6)
                fastest = std::max(fastest, *rate * 1e9);
            node.entries.push_back({name + " Rate", std::string(log_trimmed(line.substr(5))), "/nics"});
        } else if (line.starts_with("Link layer:")) {
            nic_called(node, name).link_layer = log_trimmed(line.substr(11));
        } else if (line.starts_with("State:")) {
            nic_called(node, name).state = log_trimmed(line.substr(6));
        } else {
            ++others;
        }
    }
    if (name.empty())
        throw InputError("", "no channel adapter", "expected the output of ibstat: CA 'mlx5_0', Rate: 400");
    node.unread.push_back(fmt::format("{} other lines of ibstat", others));
}

bool is_hardware_tree(std::string_view text) {
    return text.find("Machine (") != std::string_view::npos
        && (text.find("NUMANode L#") != std::string_view::npos || text.find("Package L#") != std::string_view::npos);
}

void read_hardware_tree(std::string_view text, NodeListing &node) {
    const std::string plain = plain_log(text);
    std::int64_t numa = 0;
    std::size_t others = 0;
    std::set<std::string_view> devices;
    for (const std::string_view whole : log_lines(plain)) {
        const std::string_view line = log_trimmed(whole);
        if (line.find("NUMANode L#") != std::string_view::npos) {
            ++numa;
        } else if (line.find("CoProc(CUDA)") != std::string_view::npos
                   || line.find("GPU(NVML)") != std::string_view::npos
                   || line.find("GPU(RSMI)") != std::string_view::npos) {
            devices.insert(quoted_in(line));
        } else if (line.find("OpenFabrics") != std::string_view::npos) {
            if (const std::string_view name = quoted_in(line); !name.empty())
                nic_called(node, name);
        } else {
            ++others;
        }
    }
    // A GPU may be listed twice, as a CUDA device and as an NVML device.
    const auto of = [&](std::string_view beginning) {
        return std::count_if(devices.begin(), devices.end(),
                             [&](std::string_view name) { return name.starts_with(beginning); });
    };
    const std::int64_t gpus = std::max({of("cuda"), of("nvml"), of("rsmi")});
    if (gpus > 0) {
        node.accelerators = std::max(node.accelerators.value_or(0), gpus);
        node.entries.push_back({"CUDA, NVML or RSMI devices", fmt::format("{}", gpus), "/accelerators_per_node"});
    }
    if (numa > 0) {
        node.numa_nodes = std::max(node.numa_nodes.value_or(0), numa);
        node.entries.push_back({"NUMANode", fmt::format("{}", numa), "/numa_nodes"});
    }
    node.unread.push_back(fmt::format("{} other lines of lstopo", others));
}

} // namespace meshwright
