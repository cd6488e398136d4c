// SPDX-License-Identifier: GPL-3.0-or-later
// torch/csrc/cuda/memory_snapshot.cpp and torch/cuda/memory.py define the format.
#include "measured/memory_snapshot.h"

#include "input/diagnostic.h"
#include "input/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace meshwright {

namespace {

/// Entries are counted on every visit, because a pickle can refer to the same list many times.
constexpr std::size_t max_entries = 2'000'000;
constexpr std::size_t max_device_indices = 1024;
constexpr double largest_amount = 1e18;

struct DeviceMemory {
    double reserved = 0;
    double allocated = 0;
    double active = 0;
    double recorded = 0;
    double peak_recorded = 0;
    bool is_recorded = false;
};

class SnapshotReader {
public:
    SnapshotReader(const PickledData &data, MemorySnapshot &snapshot)
        : m_data(data)
        , m_snapshot(snapshot) { }

    void read() {
        const auto segments = m_data.find(m_data.root(), "segments");
        if (!segments || !m_data.is_list(*segments))
            throw InputError("", "no list of segments",
                             "expected a PyTorch memory snapshot, as torch.cuda.memory._dump_snapshot writes it");
        read_segments(*segments);
        const std::vector<Index> &entries = m_data.items(m_data.root());
        constexpr std::size_t most_keys = 20;
        for (std::size_t i = 0; i + 1 < entries.size() && i < 2 * most_keys; i += 2)
            m_snapshot.keys.emplace_back(m_data.text(entries[i]).value_or("").substr(0, 60));
        if (const auto traces = m_data.find(m_data.root(), "device_traces")) {
            double device = 0;
            for (const PickledData::Index trace : m_data.items(*traces)) {
                count();
                read_trace(trace, m_devices[device++]);
                if (m_devices.size() > max_device_indices)
                    throw InputError("", "the snapshot has traces from too many devices",
                                     "expected a snapshot from one machine");
            }
        }
        if (const auto settings = m_data.find(m_data.root(), "allocator_settings"))
            read_settings(*settings);
        summarize();
    }

private:
    using Index = PickledData::Index;

    void count() {
        if (++m_entries > max_entries)
            throw InputError("", fmt::format("the snapshot has more than {} entries", max_entries),
                             "expected a snapshot of a few steps");
    }

    double amount(Index dictionary, std::string_view key) const {
        const auto found = m_data.find(dictionary, key);
        const auto value = found ? m_data.number(*found) : std::nullopt;
        return value && std::isfinite(*value) && *value >= 0 && *value <= largest_amount ? *value : 0;
    }

    void read_segments(Index segments) {
        for (const Index segment : m_data.items(segments)) {
            count();
            const double device = amount(segment, "device");
            if (m_devices.size() >= max_device_indices && !m_devices.contains(device))
                throw InputError("", "the snapshot has segments from too many devices",
                                 "expected a snapshot from one machine");
            DeviceMemory &memory = m_devices[device];
            ++m_snapshot.segments;
            memory.reserved += amount(segment, "total_size");
            memory.allocated += amount(segment, "allocated_size");
            memory.active += amount(segment, "active_size");
        }
        m_snapshot.devices = m_devices.size();
    }

    void read_trace(Index trace, DeviceMemory &memory) {
        double recorded = 0;
        for (const Index event : m_data.items(trace)) {
            count();
            ++m_snapshot.trace_events;
            const auto found = m_data.find(event, "action");
            const auto action = found ? m_data.text(*found) : std::nullopt;
            if (!action)
                continue;
            note(*action);
            if (*action == "alloc")
                recorded += amount(event, "size");
            else if (*action == "free_completed")
                recorded -= amount(event, "size");
            memory.peak_recorded = std::max(memory.peak_recorded, recorded);
            memory.is_recorded = true;
        }
        memory.recorded = recorded;
    }

    void note(std::string_view action) {
        constexpr std::size_t max_actions = 50;
        if (action == "oom")
            ++m_snapshot.out_of_memory_events;
        const std::string name(action.substr(0, 40));
        if (m_snapshot.actions.size() < max_actions || m_snapshot.actions.contains(name))
            ++m_snapshot.actions[name];
    }

    void read_settings(Index settings) {
        if (const auto found = m_data.find(settings, "PYTORCH_CUDA_ALLOC_CONF"))
            m_snapshot.settings = m_data.text(*found).value_or("").substr(0, 200);
        if (const auto found = m_data.find(settings, "expandable_segments"))
            m_snapshot.expandable_segments = m_data.boolean(*found).value_or(false);
    }

    void summarize() {
        const auto most = std::max_element(m_devices.begin(), m_devices.end(), [](const auto &a, const auto &b) {
            return a.second.reserved < b.second.reserved;
        });
        if (most == m_devices.end())
            return;
        const DeviceMemory &memory = most->second;
        m_snapshot.device = most->first;
        m_snapshot.reserved_bytes = memory.reserved;
        m_snapshot.allocated_bytes = memory.allocated;
        m_snapshot.active_bytes = memory.active;
        m_snapshot.peak_recorded_bytes = memory.peak_recorded;
        m_snapshot.is_recorded = memory.is_recorded;
        // Memory that is in use at the end, but whose allocation was not recorded, was allocated before the recording.
        const double before = std::max(0.0, memory.allocated - memory.recorded);
        m_snapshot.peak_allocated_bytes = std::max(memory.allocated, before + memory.peak_recorded);
    }

    const PickledData &m_data;
    MemorySnapshot &m_snapshot;
    std::map<double, DeviceMemory> m_devices;
    std::size_t m_entries = 0;
};

} // namespace

bool is_pickle(std::string_view bytes) {
    // Pickles of protocol 2 and later begin with PROTO; those of protocols 0 and 1 begin with a dictionary.
    return bytes.size() > 2
        && ((bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5) || bytes.starts_with("(d")
            || bytes.starts_with("}q"));
}

MemorySnapshot read_memory_snapshot(std::string_view bytes) {
    const PickledData data(bytes);
    MemorySnapshot snapshot;
    SnapshotReader(data, snapshot).read();
    return snapshot;
}

} // namespace meshwright
