// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/node_links.h"

#include "catalog/accelerator.h"
#include "measured/log_text.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace meshwright {

namespace {

/// Bytes per second of one NVLink in one direction: 25 GB/s from the second to the fourth generation, 50 GB/s in the
/// fifth (Blackwell). Source: NVIDIA's data sheets of the V100, A100, H100 and B200.
constexpr double usual_nvlink = 25e9;
constexpr double blackwell_nvlink = 50e9;

std::int64_t nvlinks_between(const std::string &relation) {
    constexpr double most_links = 64;
    const auto count =
        relation.starts_with("NV") ? whole_number_of(std::string_view(relation).substr(2)) : std::nullopt;
    return count && *count >= 1 && *count <= most_links ? static_cast<std::int64_t>(*count) : 0;
}

std::string commonest(const RelationMatrix &relations) {
    std::map<std::string, std::size_t> counts;
    for (std::size_t i = 0; i < relations.size(); ++i)
        for (std::size_t j = 0; j < relations.size(); ++j)
            if (i != j)
                ++counts[relations[i][j]];
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto &a, const auto &b) { return a.second < b.second; });
    return most == counts.end() ? std::string() : most->first;
}

/// Size of the smallest group of accelerators connected by NVLink, directly or through other accelerators.
std::int64_t smallest_group(const RelationMatrix &relations) {
    std::vector<std::size_t> group(relations.size());
    std::iota(group.begin(), group.end(), std::size_t{0});
    for (std::size_t i = 0; i < relations.size(); ++i)
        for (std::size_t j = 0; j < relations.size(); ++j)
            if (i != j && nvlinks_between(relations[i][j]) > 0 && group[i] != group[j])
                std::replace(group.begin(), group.end(), std::max(group[i], group[j]), std::min(group[i], group[j]));
    std::map<std::size_t, std::int64_t> sizes;
    for (const std::size_t each : group)
        ++sizes[each];
    std::int64_t smallest = static_cast<std::int64_t>(relations.size());
    for (const auto &[first, size] : sizes)
        smallest = std::min(smallest, size);
    return smallest;
}

} // namespace

NodeLinks links_of(const RelationMatrix &relations, const Accelerator *accelerator) {
    NodeLinks links;
    if (relations.size() < 2)
        return links;
    links.relation = commonest(relations);
    links.joined = smallest_group(relations);
    links.all_to_all = true;
    std::int64_t to_one = 0; // maximum number of links between two accelerators
    std::int64_t to_all = 0; // number of links of the accelerator with the fewest links
    for (std::size_t i = 0; i < relations.size(); ++i) {
        std::int64_t own = 0;
        for (std::size_t j = 0; j < relations.size(); ++j) {
            const std::int64_t links_here = i == j ? 0 : nvlinks_between(relations[i][j]);
            own += links_here;
            to_one = std::max(to_one, links_here);
            links.all_to_all = links.all_to_all && (i == j || links_here > 0);
        }
        to_all = i == 0 ? own : std::min(to_all, own);
    }
    if (links.joined < 2)
        return links;
    const bool known = accelerator != nullptr;
    const double rate = known && accelerator->architecture.starts_with("blackwell") ? blackwell_nvlink : usual_nvlink;
    links.rate_is_assumed = !known;
    // With a switch, all of an accelerator's links reach every peer; in a mesh, each peer has separate links. A mesh
    // cannot use more links than the accelerator has, and no mesh has more than six links to each of several peers.
    constexpr std::int64_t most_mesh_links = 6;
    const bool is_mesh = known
        ? static_cast<double>(to_all) * rate <= 1.01 * accelerator->link_bandwidth_bytes_per_second
        : to_one <= most_mesh_links || relations.size() == 2;
    links.nvlinks = is_mesh ? to_all : to_one;
    links.nvlink_bytes_per_second = static_cast<double>(links.nvlinks) * rate;
    return links;
}

std::optional<double> pcie_bytes_per_second(int generation, double lanes) {
    // Raw rate of a lane and its line code: 8b/10b up to generation 2, 128b/130b in generations 3 to 5, and FLITs with
    // 242 payload bytes of 256 in generation 6 (PCI Express Base Specification).
    constexpr std::array<double, 6> lane{
        0.25e9, 0.5e9, 8e9 / 8 * 128 / 130, 16e9 / 8 * 128 / 130, 32e9 / 8 * 128 / 130, 64e9 / 8 * 242 / 256};
    if (generation < 1 || generation > static_cast<int>(lane.size()))
        return std::nullopt;
    return lane[static_cast<std::size_t>(generation - 1)] * lanes;
}

} // namespace meshwright
