// SPDX-License-Identifier: GPL-3.0-or-later
// Imports a profile or a memory snapshot of PyTorch as a measured run of one accelerator.
#include "catalog/library.h"
#include "input/diagnostic.h"
#include "input/gzip_text.h"
#include "launch/measured_document.h"
#include "launch/measured_importers.h"
#include "measured/device_name.h"
#include "measured/kineto_trace.h"
#include "measured/log_text.h"
#include "measured/memory_snapshot.h"
#include "measured/trace_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace meshwright {

namespace {

using TraceRun = nlohmann::ordered_json;

/// Limit for a snapshot, which must be in memory as a whole because its parts refer to each other.
constexpr std::size_t largest_snapshot_bytes = 64u << 20;
constexpr std::size_t listed_kernels = 20;
constexpr std::size_t longest_listed_name = 120;

std::string name_of_trace(const LaunchFile &file) {
    std::filesystem::path path = std::filesystem::path(file.name).filename();
    for (int i = 0; i < 3 && path.has_extension(); ++i) // "rank0.pt.trace.json.gz"
        path = path.stem();
    return file.name == "-" ? "imported run" : path.string();
}

class RunOfTrace {
public:
    RunOfTrace(const LaunchFile &file, const Library &library)
        : m_run("trace", "run")
        , m_library(library) {
        m_run.set("/id", name_of_trace(file));
        m_run.set("/framework", "PyTorch");
    }

    Imported read(const KinetoTrace &trace) && {
        machine(trace);
        totals(trace);
        if (trace.spans.empty())
            m_run.fault("traceEvents", "no kernels: the profiler did not record the GPU");
        else
            times(trace);
        m_run.set("/outcome", "ok");
        kernels(trace);
        for (const auto &[category, count] : trace.others)
            m_run.ignore(category, fmt::format("{} events", count), "not a kernel, copy or step");
        return std::move(m_run).take();
    }

private:
    void machine(const KinetoTrace &trace) {
        if (!trace.device_name.empty()) {
            const std::string id = accelerator_of_device(trace.device_name, trace.device_bytes, m_library);
            m_run.read("deviceProperties", trace.device_name, "/accelerator", id.empty() ? trace.device_name : id);
            m_run.set("/measured/device", trace.device_name);
            m_run.set("/measured/device_memory_bytes", trace.device_bytes);
            m_run.set("/measured/listed_devices", trace.listed_devices);
        }
        if (trace.world_size && *trace.world_size >= 1 && *trace.world_size <= 1e7)
            m_run.read("distributedInfo/world_size", fmt::format("{:.0f}", *trace.world_size), "/accelerators",
                       static_cast<std::int64_t>(*trace.world_size));
        m_run.set("/measured/world_size", trace.world_size ? TraceRun(*trace.world_size) : TraceRun());
        if (trace.rank)
            m_run.read("distributedInfo/rank", fmt::format("{:.0f}", *trace.rank), "/measured/rank", *trace.rank);
        if (!trace.backend.empty())
            m_run.read("distributedInfo/backend", trace.backend, "/measured/backend", trace.backend);
    }

    void totals(const KinetoTrace &trace) {
        double microseconds = 0;
        std::size_t kernel_count = 0;
        std::size_t communication = 0;
        for (const GpuSpan &span : trace.spans)
            if (span.is_kernel) {
                ++kernel_count;
                microseconds += span.end - span.begin; // microseconds
                communication += span.kind == KernelClass::communication ? 1 : 0;
            }
        m_run.set("/measured/events", trace.events);
        m_run.read("kernel", fmt::format("{} events", kernel_count), "/measured/kernels", kernel_count);
        m_run.set("/measured/kernel_seconds", microseconds / 1e6);
        m_run.set("/measured/communication_kernels", communication);
        if (trace.spans.size() > kernel_count)
            m_run.read("gpu_memcpy, gpu_memset", fmt::format("{} events", trace.spans.size() - kernel_count),
                       "/measured/copies", trace.spans.size() - kernel_count);
    }

    void times(const KinetoTrace &trace) {
        const TraceTimes times = times_of(trace);
        m_run.set("/measured/profiler_steps", times.steps);
        if (times.steps > 0) {
            m_run.read("ProfilerStep", fmt::format("{} steps", times.steps), "/step_seconds", times.step_seconds);
            m_run.set("/measured/each_step_seconds", times.each_step_seconds);
        } else {
            m_run.assume("/measured/window_seconds", times.step_seconds,
                         "the trace marks no steps (profiler.step() was not called); measured from the first kernel to "
                         "the end of the last one");
        }
        if (trace.devices.size() > 1)
            m_run.assume(
                "/measured/traced_device", trace.devices[times.device],
                fmt::format("the trace has {} GPUs; the one with the most kernel time is used", trace.devices.size()));
        const char *const part = times.steps > 0 ? "/measured/per_step/" : "/measured/per_window/";
        const auto set = [&](std::string_view name, double seconds) {
            m_run.set(part + std::string(name) + "_seconds", seconds);
        };
        set("compute", times.compute_seconds);
        set("exposed_communication", times.exposed_communication_seconds);
        set("exposed_copy", times.copying_seconds);
        set("idle", times.idle_seconds);
        set("communication_busy", times.communicating_seconds);
        for (std::size_t i = 0; i < kernel_class_count; ++i)
            m_run.set(fmt::format("{}kernels/{}_seconds", part, kernel_class_name(static_cast<KernelClass>(i))),
                      times.kernel_seconds[i]);
        for (std::size_t i = 0; i < communication_kind_count; ++i)
            if (times.communication_seconds[i] > 0)
                m_run.set(fmt::format("{}communication/{}_seconds", part,
                                      communication_kind_name(static_cast<CommunicationKind>(i))),
                          times.communication_seconds[i]);
    }

    /// Lists the kernels that take longest with their class, so that a wrong class is noticed.
    void kernels(const KinetoTrace &trace) {
        std::vector<std::pair<double, const std::string *>> longest;
        for (const auto &[name, total] : trace.kernels)
            longest.emplace_back(total.microseconds, &name);
        const std::size_t listed = std::min(longest.size(), listed_kernels);
        std::partial_sort(longest.begin(), longest.begin() + static_cast<std::ptrdiff_t>(listed), longest.end(),
                          [](const auto &a, const auto &b) { return a.first > b.first; });
        TraceRun list = TraceRun::array();
        for (std::size_t i = 0; i < listed; ++i) {
            const std::string &name = *longest[i].second;
            const KernelTotal &total = trace.kernels.at(name);
            list.push_back({{"name", name.substr(0, longest_listed_name)},
                            {"class", std::string(kernel_class_name(class_of_kernel(name)))},
                            {"count", total.count},
                            {"seconds", total.microseconds / 1e6}});
        }
        m_run.set("/measured/longest_kernels", std::move(list));
    }

    MeasuredDocument m_run;
    const Library &m_library;
};

Imported run_of_snapshot(const LaunchFile &file) {
    const std::string bytes = expanded(file.text, largest_snapshot_bytes);
    const MemorySnapshot snapshot = read_memory_snapshot(bytes);
    MeasuredDocument run("trace", "run");
    run.set("/id", name_of_trace(file));
    run.set("/framework", "PyTorch");
    run.set("/measured/keys", snapshot.keys);
    run.read("segments", fmt::format("{}", snapshot.segments), "/measured/segments", snapshot.segments);
    if (snapshot.devices > 1)
        run.assume("/measured/device", snapshot.device,
                   fmt::format("the snapshot has {} devices; the one with the most reserved memory is used",
                               snapshot.devices));
    run.read("total_size", fmt::format("{:.0f}", snapshot.reserved_bytes), "/measured/reserved_bytes",
             snapshot.reserved_bytes);
    run.read("allocated_size", fmt::format("{:.0f}", snapshot.allocated_bytes), "/measured/allocated_bytes",
             snapshot.allocated_bytes);
    run.read("active_size", fmt::format("{:.0f}", snapshot.active_bytes), "/measured/active_bytes",
             snapshot.active_bytes);
    run.set("/measured/trace_events", snapshot.trace_events);
    if (snapshot.is_recorded) {
        run.set("/measured/peak_of_recorded_allocations_bytes", snapshot.peak_recorded_bytes);
        run.set("/peak_memory_bytes", snapshot.peak_allocated_bytes);
        run.set("/memory_kind", "allocated");
        if (snapshot.peak_allocated_bytes > snapshot.peak_recorded_bytes)
            run.assume(
                "/peak_memory_bytes", snapshot.peak_allocated_bytes,
                "the peak of the recorded allocations, plus the memory that was allocated before the recording began");
    } else {
        run.assume(
            "/peak_memory_bytes", snapshot.reserved_bytes,
            "no allocations were recorded; this is the memory that the allocator held when the snapshot was taken");
        run.set("/memory_kind", "reserved");
    }
    for (const auto &[action, count] : snapshot.actions)
        if (action == "alloc" || action == "free_completed" || action == "oom")
            run.understand(action, fmt::format("{} events", count),
                           action == "oom" ? "/outcome" : "/peak_memory_bytes");
        else
            run.ignore(action, fmt::format("{} events", count), "does not change the allocated memory");
    run.set("/outcome", snapshot.out_of_memory_events > 0 ? "oom" : "ok");
    if (!snapshot.settings.empty())
        run.read("PYTORCH_CUDA_ALLOC_CONF", snapshot.settings, "/measured/allocator_settings", snapshot.settings);
    run.set("/measured/expandable_segments", snapshot.expandable_segments);
    run.ignore("frames and blocks", "", "say where memory was allocated, not how much");
    return std::move(run).take();
}

} // namespace

int trace_likeness(const LaunchFile &file) {
    constexpr std::size_t enough = 256 << 10;
    const bool compressed = is_gzip(file.text);
    const std::string beginning = compressed ? beginning_of(file.text, enough) : std::string();
    const std::string_view text = compressed ? std::string_view(beginning) : std::string_view(file.text);
    const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
    if (is_pickle(text))
        return has("segments") || has("device_traces") ? 95 : 60;
    if (has("\"traceEvents\"") || (has("\"ph\"") && has("\"dur\"") && has("\"ts\"")))
        return 95;
    return compressed && (has("\"deviceProperties\"") || has("\"schemaVersion\"")) ? 80 : compressed ? 10 : 0;
}

Imported import_trace(const std::vector<LaunchFile> &files, const Library &library) {
    const LaunchFile &file = files.front();
    if (is_pickle(beginning_of(file.text, 64)))
        return run_of_snapshot(file);
    if (is_gzip(file.text)) {
        GzipReader reader(file.text);
        return RunOfTrace(file, library).read(read_kineto_trace(reader));
    }
    TextReader reader(file.text);
    return RunOfTrace(file, library).read(read_kineto_trace(reader));
}

} // namespace meshwright
