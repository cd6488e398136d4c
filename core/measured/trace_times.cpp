// SPDX-License-Identifier: GPL-3.0-or-later
#include "measured/trace_times.h"

#include <algorithm>
#include <limits>
#include <map>

namespace meshwright {

namespace {

constexpr double trace_microsecond = 1e-6;

/// A time interval in microseconds.
struct Stretch {
    double begin = std::numeric_limits<double>::max();
    double end = std::numeric_limits<double>::lowest();
    double length() const { return end > begin ? end - begin : 0; }
};

std::size_t busiest_device(const KinetoTrace &trace) {
    std::vector<double> busy(std::max<std::size_t>(1, trace.devices.size()), 0);
    for (const GpuSpan &span : trace.spans)
        if (span.is_kernel)
            busy[span.device] += span.end - span.begin;
    return static_cast<std::size_t>(std::max_element(busy.begin(), busy.end()) - busy.begin());
}

/// The profiled steps. Marks on the GPU's timeline are preferred, because the CPU runs ahead of the GPU.
std::vector<ProfilerStep> steps_of(const KinetoTrace &trace) {
    const bool of_gpu =
        std::any_of(trace.steps.begin(), trace.steps.end(), [](const ProfilerStep &step) { return step.is_of_gpu; });
    std::map<std::int64_t, ProfilerStep> by_number;
    for (const ProfilerStep &step : trace.steps) {
        if (step.is_of_gpu != of_gpu)
            continue;
        const auto [place, is_new] = by_number.try_emplace(step.number, step);
        if (!is_new) { // every stream has its own mark of a step
            place->second.begin = std::min(place->second.begin, step.begin);
            place->second.end = std::max(place->second.end, step.end);
        }
    }
    std::vector<ProfilerStep> steps;
    for (const auto &[number, step] : by_number)
        steps.push_back(step);
    return steps;
}

/// Sums the time of compute, communication and copies, by a sweep over the start and end times of all spans.
class Sweep {
public:
    enum Kind : std::size_t { compute, communication, copy, kinds };

    void add(const GpuSpan &span, const Stretch &window) {
        const double begin = std::max(span.begin, window.begin);
        const double end = std::min(span.end, window.end);
        if (end <= begin)
            return;
        const Kind kind = span.kind == KernelClass::communication ? communication
            : span.kind == KernelClass::copy                      ? copy
                                                                  : compute;
        m_edges.push_back({begin, kind, +1});
        m_edges.push_back({end, kind, -1});
    }

    void run(TraceTimes &times) {
        std::sort(m_edges.begin(), m_edges.end(), [](const Edge &a, const Edge &b) { return a.at < b.at; });
        std::array<std::int64_t, kinds> running{};
        double last = m_edges.empty() ? 0 : m_edges.front().at;
        for (const Edge &edge : m_edges) {
            const double passed = edge.at - last;
            last = edge.at;
            if (running[compute] > 0)
                times.compute_seconds += passed;
            else if (running[communication] > 0)
                times.exposed_communication_seconds += passed;
            else if (running[copy] > 0)
                times.copying_seconds += passed;
            if (running[communication] > 0)
                times.communicating_seconds += passed;
            running[edge.kind] += edge.change;
        }
    }

private:
    struct Edge {
        double at;
        Kind kind;
        std::int32_t change;
    };
    std::vector<Edge> m_edges;
};

void scale(TraceTimes &times, double factor) {
    for (double *const value :
         {&times.compute_seconds, &times.communicating_seconds, &times.exposed_communication_seconds,
          &times.copying_seconds, &times.idle_seconds, &times.step_seconds})
        *value *= factor;
    for (double &value : times.kernel_seconds)
        value *= factor;
    for (double &value : times.communication_seconds)
        value *= factor;
}

} // namespace

TraceTimes times_of(const KinetoTrace &trace) {
    TraceTimes times;
    times.device = busiest_device(trace);
    const std::vector<ProfilerStep> steps = steps_of(trace);
    Stretch window;
    for (const ProfilerStep &step : steps) {
        window.begin = std::min(window.begin, step.begin);
        window.end = std::max(window.end, step.end);
        times.each_step_seconds.push_back((step.end - step.begin) * trace_microsecond);
    }
    if (steps.empty())
        for (const GpuSpan &span : trace.spans) {
            window.begin = std::min(window.begin, span.begin);
            window.end = std::max(window.end, span.end);
        }
    times.steps = steps.size();
    times.step_seconds = window.length();
    Sweep sweep;
    for (const GpuSpan &span : trace.spans) {
        if (span.device != times.device)
            continue;
        const double inside = Stretch{std::max(span.begin, window.begin), std::min(span.end, window.end)}.length();
        times.kernel_seconds[static_cast<std::size_t>(span.kind)] += inside;
        if (span.kind == KernelClass::communication)
            times.communication_seconds[static_cast<std::size_t>(span.communication)] += inside;
        sweep.add(span, window);
    }
    sweep.run(times);
    times.idle_seconds = std::max(
        0.0, times.step_seconds - times.compute_seconds - times.exposed_communication_seconds - times.copying_seconds);
    scale(times, trace_microsecond / static_cast<double>(std::max<std::size_t>(1, steps.size())));
    return times;
}

} // namespace meshwright
