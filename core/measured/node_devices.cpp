// SPDX-License-Identifier: GPL-3.0-or-later
// Reads `nvidia-smi -q -x`, which has one element per GPU. Element names differ between schema versions.
#include "input/diagnostic.h"
#include "input/xml_document.h"
#include "measured/log_text.h"
#include "measured/node_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace meshwright {

namespace {

constexpr std::size_t max_devices = 1024;

/// Text found at the first matching path. Schema versions use different paths.
struct FoundText {
    std::string path;
    std::string text;
    bool is_known() const { return !text.empty() && text != "N/A" && text.find("Requested") == std::string::npos; }
};

FoundText first_of(const XmlElement &gpu, std::initializer_list<const char *> paths) {
    FoundText found;
    for (const char *const path : paths) {
        FoundText here{.path = path, .text = gpu.at(path)};
        if (here.is_known())
            return here;
        if (found.text.empty())
            found = std::move(here);
    }
    return found;
}

std::optional<double> within(const FoundText &found, double low, double high) {
    const std::optional<double> value = found.is_known() ? leading_number(found.text) : std::nullopt;
    return value && *value >= low && *value <= high ? value : std::nullopt;
}

double bytes_of(const FoundText &found) {
    return within(found, 0, 1e9).value_or(0) * 0x1p20;
}

class DeviceReader {
public:
    DeviceReader(NodeListing &node, bool is_first)
        : m_node(node)
        , m_is_first(is_first) { }

    void read(const XmlElement &gpu) {
        ListedDevice device;
        device.product = take(gpu, {"product_name"}, "/accelerator").text;
        device.architecture = take(gpu, {"product_architecture"}, "/measured/architecture").text;
        device.memory_bytes = bytes_of(take(gpu, {"fb_memory_usage/total"}, "/measured/memory_bytes"));
        device.used_bytes = bytes_of(take(gpu, {"fb_memory_usage/used"}, "/measured/memory_used_bytes"));
        device.power_limit_watts =
            within(take(gpu,
                        {"gpu_power_readings/current_power_limit", "gpu_power_readings/power_limit",
                         "power_readings/power_limit", "power_readings/enforced_power_limit"},
                        "/power_limit_watts"),
                   1, 1e5);
        device.highest_power_limit_watts =
            within(take(gpu, {"gpu_power_readings/max_power_limit", "power_readings/max_power_limit"},
                        "/measured/highest_power_limit_watts"),
                   1, 1e5);
        device.pcie_generation =
            within(take(gpu, {"pci/pci_gpu_link_info/pcie_gen/max_link_gen"}, "/links/pcie_generation"), 1, 20);
        device.pcie_width =
            within(take(gpu, {"pci/pci_gpu_link_info/link_widths/max_link_width"}, "/links/pcie_lanes"), 1, 64);
        device.mig = take(gpu, {"mig_mode/current_mig"}, "/mig").text;
        device.nvlink_state = take(gpu, {"fabric/state"}, "/measured/fabric_state").text;
        if (const XmlElement *const parts = gpu.child("mig_devices"))
            device.mig_devices = parts->children.size();
        m_node.devices.push_back(std::move(device));
    }

private:
    /// Reads a value of a GPU. Only the first GPU's values are listed; the node records how other GPUs differ.
    FoundText take(const XmlElement &gpu, std::initializer_list<const char *> paths, const char *field) {
        FoundText found = first_of(gpu, paths);
        if (m_is_first && !found.text.empty())
            m_node.entries.push_back({found.path, found.text, found.is_known() ? field : ""});
        return found;
    }

    NodeListing &m_node;
    bool m_is_first;
};

std::size_t elements_in(const XmlElement &element) {
    std::size_t count = 1;
    for (const XmlElement &child : element.children)
        count += elements_in(child);
    return count;
}

} // namespace

bool is_device_query(std::string_view text) {
    return text.find("<nvidia_smi_log") != std::string_view::npos;
}

void read_device_query(std::string_view text, NodeListing &node) {
    const XmlElement log = parse_xml(text.substr(std::min(text.find('<'), text.size())));
    if (log.name != "nvidia_smi_log")
        throw InputError("", fmt::format("the root element is {}", log.name.substr(0, 60)),
                         "expected nvidia_smi_log, the output of nvidia-smi -q -x");
    node.driver = log.at("driver_version");
    node.cuda = log.at("cuda_version");
    node.entries.push_back({"driver_version", node.driver, "/measured/driver"});
    node.entries.push_back({"cuda_version", node.cuda, "/measured/cuda"});
    const std::string attached = log.at("attached_gpus");
    if (const auto count = whole_number_of(attached); count && *count >= 1 && *count <= 1e6) {
        node.accelerators = static_cast<std::int64_t>(*count);
        node.entries.push_back({"attached_gpus", attached, "/accelerators_per_node"});
    }
    const std::size_t before = node.devices.size();
    const std::size_t entries = node.entries.size();
    for (const XmlElement &gpu : log.children)
        if (gpu.name == "gpu" && node.devices.size() < max_devices)
            DeviceReader(node, node.devices.size() == before).read(gpu);
    if (node.devices.size() == before)
        throw InputError("", "no gpu element", "expected the output of nvidia-smi -q -x");
    if (!node.accelerators)
        node.accelerators = static_cast<std::int64_t>(node.devices.size());
    node.unread.push_back(fmt::format("{} other elements of nvidia-smi -q -x",
                                      elements_in(log) - std::min(elements_in(log), node.entries.size() - entries)));
}

} // namespace meshwright
