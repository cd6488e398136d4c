// SPDX-License-Identifier: GPL-3.0-or-later
// Imports listings of one machine as a node: its accelerators, their links, network adapters, power limit and MIG mode.
#include "catalog/accelerator.h"
#include "catalog/library.h"
#include "input/diagnostic.h"
#include "launch/measured_document.h"
#include "launch/measured_importers.h"
#include "launch/node_links.h"
#include "measured/device_name.h"
#include "measured/node_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace meshwright {

namespace {

using NodeJson = nlohmann::ordered_json;

constexpr double nvlink_hop_seconds = 3e-6; ///< latency of a hop over NVLink, as in the presets of NVLink nodes
constexpr double pcie_hop_seconds = 5e-6; ///< latency of a hop over PCIe in seconds, the default of a tier

struct ListingKind {
    bool (*is_it)(std::string_view text);
    void (*read)(std::string_view text, NodeListing &node);
};
constexpr std::array<ListingKind, 4> listing_kinds{{{is_device_query, read_device_query},
                                                    {is_topology, read_topology},
                                                    {is_infiniband, read_infiniband},
                                                    {is_hardware_tree, read_hardware_tree}}};

class NodeDocument {
public:
    NodeDocument(NodeListing node, const Library &library)
        : m_document("nvidia-smi", "node")
        , m_node(std::move(node))
        , m_library(library) { }

    Imported read() && {
        settle_accelerator();
        settle_devices();
        settle_links();
        settle_tiers();
        settle_network();
        if (m_node.numa_nodes)
            m_document.set("/numa_nodes", *m_node.numa_nodes);
        settle_power();
        account();
        return std::move(m_document).take();
    }

private:
    std::int64_t accelerators() const { return std::max<std::int64_t>(1, m_node.accelerators.value_or(1)); }

    void settle_accelerator() {
        if (!m_node.devices.empty()) {
            const ListedDevice &device = m_node.devices.front();
            const std::string id = accelerator_of_device(device.product, device.memory_bytes, m_library);
            if (id.empty())
                m_document.assume("/accelerator", nullptr,
                                  fmt::format("no preset for {}; choose one",
                                              device.product.empty() ? "the product" : device.product));
            else
                m_document.set("/accelerator", id);
            if (!id.empty())
                m_part = m_library.accelerator(id);
            m_document.set("/accelerator_name", device.product);
        } else {
            m_document.assume("/accelerator", nullptr,
                              "the listing does not name the product; nvidia-smi -q -x names it");
        }
        m_document.set("/accelerators_per_node", accelerators());
        if (!m_node.accelerators)
            m_document.assume("/accelerators_per_node", 1, "the listing does not state the number of GPUs");
        else if (!m_node.devices.empty() && static_cast<std::int64_t>(m_node.devices.size()) != *m_node.accelerators)
            m_document.assume("/accelerators_per_node", *m_node.accelerators,
                              fmt::format("the listing describes {} of the {} attached GPUs", m_node.devices.size(),
                                          *m_node.accelerators));
    }

    void settle_devices() {
        if (m_node.devices.empty())
            return;
        const ListedDevice &device = m_node.devices.front();
        m_document.set("/measured/gpus_in_file", m_node.devices.size());
        m_document.set("/measured/attached_gpus", accelerators());
        m_document.set("/measured/driver", m_node.driver);
        m_document.set("/measured/cuda", m_node.cuda);
        m_document.set("/measured/product", device.product);
        if (!device.architecture.empty())
            m_document.set("/measured/architecture", device.architecture);
        m_document.set("/measured/memory_bytes", device.memory_bytes);
        m_document.set("/measured/memory_used_bytes", device.used_bytes);
        if (!device.nvlink_state.empty() && device.nvlink_state != "N/A")
            m_document.set("/measured/fabric_state", device.nvlink_state);
        const auto differs = std::find_if(m_node.devices.begin(), m_node.devices.end(), [&](const ListedDevice &other) {
            return other.product != device.product || other.memory_bytes != device.memory_bytes;
        });
        if (differs != m_node.devices.end())
            m_document.fault("product_name",
                             fmt::format("the node has {} as well as {}; a plan has one kind of accelerator",
                                         differs->product, device.product));
    }

    void settle_links() {
        m_links = links_of(m_node.relations, m_part.get());
        NodeJson links = NodeJson::object();
        if (!m_node.relations.empty()) {
            const bool has_nvlink = m_links.joined > 1;
            links["relation"] = m_links.relation;
            links["nvlink"] =
                has_nvlink && m_links.relation.starts_with("NV") ? NodeJson(m_links.relation) : NodeJson();
            links["nvlinks_per_accelerator"] = m_links.nvlinks;
            links["all_to_all"] = m_links.all_to_all;
        }
        if (!m_node.devices.empty()) {
            const ListedDevice &device = m_node.devices.front();
            links["pcie_generation"] = device.pcie_generation ? NodeJson(*device.pcie_generation) : NodeJson();
            links["pcie_lanes"] = device.pcie_width ? NodeJson(*device.pcie_width) : NodeJson();
        }
        m_document.set("/links", std::move(links));
    }

    std::optional<double> pcie() const {
        if (m_node.devices.empty() || !m_node.devices.front().pcie_generation || !m_node.devices.front().pcie_width)
            return std::nullopt;
        return pcie_bytes_per_second(static_cast<int>(*m_node.devices.front().pcie_generation),
                                     *m_node.devices.front().pcie_width);
    }

    NodeJson tier(const char *name, std::int64_t joined, double bandwidth, double latency) {
        const std::string at = fmt::format("/tiers/{}", m_tiers.size());
        m_latencies.push_back({at + "/latency_seconds", latency});
        return {{"name", name},
                {"accelerators", joined},
                {"bandwidth_bytes_per_second", bandwidth},
                {"latency_seconds", latency}};
    }

    /// Sets the tiers: groups joined by NVLink, then PCIe between them.
    void settle_tiers() {
        const std::int64_t all = accelerators();
        std::int64_t joined = m_links.joined;
        double nvlink = m_links.nvlink_bytes_per_second;
        const char *why = "";
        if (m_node.relations.empty() && m_part != nullptr && m_part->link_domain_accelerators > 1
            && m_part->link_bandwidth_bytes_per_second > 0) {
            joined = std::min(all, m_part->link_domain_accelerators);
            nvlink = m_part->link_bandwidth_bytes_per_second;
            why = "the listing does not show how GPUs are connected; the accelerator's default links are assumed "
                  "(nvidia-smi topo -m would confirm them)";
        } else if (m_links.rate_is_assumed && nvlink > 0) {
            why = "25 GB/s per NVLink is assumed: the listing does not name the product, and Blackwell's links are "
                  "twice as fast";
        } else if (m_links.joined > 1 && !m_links.all_to_all && m_links.joined == all) {
            why = "not every pair of GPUs has NVLink; the bandwidth is that of the GPU with the fewest links";
        }
        if (all % std::max<std::int64_t>(1, joined) != 0)
            joined = 1;
        if (joined > 1)
            m_tiers.push_back(tier("nvlink", joined, nvlink, nvlink_hop_seconds));
        if (joined > 1 && *why != '\0')
            m_assumed.push_back({"/tiers/0/bandwidth_bytes_per_second", nvlink, why});
        if (joined < all || m_tiers.empty()) {
            constexpr double usual_pcie = 16e9 / 8 * 128 / 130 * 16; // generation 4, 16 lanes
            const std::string at = fmt::format("/tiers/{}/bandwidth_bytes_per_second", m_tiers.size());
            const double bandwidth = pcie().value_or(usual_pcie);
            if (!pcie())
                m_assumed.push_back(
                    {at, bandwidth, "PCIe 4.0 with 16 lanes is assumed: the listing does not state the link"});
            m_tiers.push_back(tier("pcie", all, bandwidth, pcie_hop_seconds));
        }
        m_document.set("/tiers", m_tiers);
        for (AssumedField &each : m_assumed)
            m_document.assume(each.field, each.value, each.why);
        for (const auto &[field, latency] : m_latencies)
            m_document.assume(field, latency, "assumed: listings contain no measured latency");
    }

    /// Sets the network between nodes. The fastest adapters are assumed to carry the training traffic, slower ones
    /// storage and management.
    void settle_network() {
        if (m_node.nics.empty())
            return;
        NodeJson nics = NodeJson::array();
        double fastest = 0;
        for (const ListedNic &nic : m_node.nics)
            if (nic.state.empty() || nic.state == "Active")
                fastest = std::max(fastest, nic.bits_per_second);
        std::int64_t used = 0;
        for (const ListedNic &nic : m_node.nics) {
            NodeJson entry{{"name", nic.name}};
            if (nic.bits_per_second > 0)
                entry["bits_per_second"] = nic.bits_per_second;
            for (const auto &[key, text] : {std::pair("link_layer", &nic.link_layer), std::pair("state", &nic.state),
                                            std::pair("nearest", &nic.nearest)})
                if (!text->empty())
                    entry[key] = *text;
            used += nic.bits_per_second == fastest && (nic.state.empty() || nic.state == "Active") ? 1 : 0;
            nics.push_back(std::move(entry));
        }
        m_document.set("/nics", std::move(nics));
        if (fastest > 0)
            m_document.assume(
                "/network_bandwidth_bytes_per_second",
                fastest / 8 * static_cast<double>(used) / static_cast<double>(accelerators()),
                fmt::format("{} adapters of {:g} Gb/s, shared by {} accelerators; slower ones are assumed to serve "
                            "storage and management",
                            used, fastest / 1e9, accelerators()));
    }

    void settle_power() {
        if (m_node.devices.empty())
            return;
        const ListedDevice &device = m_node.devices.front();
        constexpr double nearly_all = 0.95;
        m_document.set("/power_limit_watts",
                       device.power_limit_watts ? NodeJson(*device.power_limit_watts) : NodeJson());
        if (device.power_limit_watts && device.highest_power_limit_watts)
            m_document.set("/measured/highest_power_limit_watts", *device.highest_power_limit_watts);
        if (device.power_limit_watts && device.highest_power_limit_watts
            && *device.power_limit_watts < nearly_all * *device.highest_power_limit_watts)
            m_document.fault(
                "power limit",
                fmt::format("limited to {:g} W of a possible {:g} W: clocks are lower than the preset assumes",
                            *device.power_limit_watts, *device.highest_power_limit_watts));
        m_document.set("/mig",
                       device.mig == "Enabled"        ? NodeJson(true)
                           : device.mig == "Disabled" ? NodeJson(false)
                                                      : NodeJson());
        if (device.mig == "Enabled")
            m_document.fault("mig_mode/current_mig",
                             fmt::format("MIG is enabled ({} instances on the first GPU): a job gets a slice of a GPU, "
                                         "and slices have no peer access over NVLink or PCIe",
                                         device.mig_devices));
    }

    void account() {
        for (ListedEntry &entry : m_node.entries)
            if (entry.field.empty())
                m_document.ignore(entry.name, entry.printed, "contains no information for a plan");
            else
                m_document.understand(entry.name, entry.printed, entry.field);
        for (const std::string &each : m_node.unread)
            m_document.ignore("other entries", each, "contain no information for a plan");
    }

    MeasuredDocument m_document;
    NodeListing m_node;
    const Library &m_library;
    std::shared_ptr<const Accelerator> m_part; ///< null: unknown
    NodeLinks m_links;
    NodeJson m_tiers = NodeJson::array();
    std::vector<AssumedField> m_assumed;
    std::vector<std::pair<std::string, double>> m_latencies;
};

} // namespace

int nvidia_smi_likeness(const LaunchFile &file) {
    return std::any_of(listing_kinds.begin(), listing_kinds.end(),
                       [&](const ListingKind &kind) { return kind.is_it(file.text); })
        ? 94
        : 0;
}

Imported import_nvidia_smi(const std::vector<LaunchFile> &files, const Library &library) {
    NodeListing node;
    for (const LaunchFile &file : files) {
        bool is_listing = false;
        for (const ListingKind &kind : listing_kinds)
            if (kind.is_it(file.text)) {
                kind.read(file.text, node);
                is_listing = true;
                if (kind.is_it == is_device_query)
                    break; // no other listing is XML
            }
        if (!is_listing)
            throw InputError("", fmt::format("{} is not a listing of a machine", file.name),
                             "expected the output of nvidia-smi topo -m, nvidia-smi -q -x, ibstat or lstopo");
    }
    return NodeDocument(std::move(node), library).read();
}

} // namespace meshwright
