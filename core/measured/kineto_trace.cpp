// SPDX-License-Identifier: GPL-3.0-or-later
#include "measured/kineto_trace.h"

#include "input/diagnostic.h"
#include "input/json_document.h"
#include "measured/log_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <istream>
#include <string_view>

namespace meshwright {

namespace {

using TraceJson = nlohmann::json;

constexpr std::size_t max_spans = 3'000'000;
constexpr std::size_t max_kernel_names = 2000;
constexpr std::size_t max_profiler_steps = 100'000;
constexpr std::size_t max_trace_devices = 1024;
constexpr std::size_t max_categories = 200;
constexpr std::size_t longest_trace_text = 1000;
constexpr double largest_time = 1e18; ///< upper limit for times, in microseconds

struct TraceEvent {
    std::string phase;
    std::string category;
    std::string name;
    std::string collective;
    std::optional<double> time;
    std::optional<double> duration;
    std::optional<double> device; ///< index of the device, from the event's arguments
    std::optional<double> process;
};

enum class Place { elsewhere, document, events, event, event_arguments, distributed, devices, device };

class TraceSax : public nlohmann::json_sax<TraceJson> {
public:
    explicit TraceSax(KinetoTrace &trace)
        : m_trace(trace) { }

    const std::string &error() const { return m_error; }

    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
    bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
    bool number_float(number_float_t value, const string_t & /*text*/) override { return number(value); }
    bool binary(binary_t & /*value*/) override { return fail("binary data"); }
    bool key(string_t &name) override {
        m_key = name.size() <= longest_trace_text ? name : string_t();
        return true;
    }
    bool string(string_t &value) override {
        if (value.size() > longest_trace_text)
            value.resize(longest_trace_text);
        if (place() == Place::event) {
            if (m_key == "ph")
                m_event.phase = std::move(value);
            else if (m_key == "cat")
                m_event.category = std::move(value);
            else if (m_key == "name")
                m_event.name = std::move(value);
            else
                spelled(value);
        } else if (place() == Place::event_arguments && m_key == "Collective name") {
            m_event.collective = std::move(value);
        } else if (place() == Place::distributed && m_key == "backend") {
            m_trace.backend = std::move(value);
        } else if (place() == Place::device && m_key == "name" && m_trace.device_name.empty()) {
            m_trace.device_name = std::move(value);
        }
        return true;
    }

    bool start_object(std::size_t /*elements*/) override {
        Place next = Place::elsewhere;
        if (m_places.empty())
            next = Place::document;
        else if (place() == Place::events)
            next = Place::event;
        else if (place() == Place::event && m_key == "args")
            next = Place::event_arguments;
        else if (place() == Place::document && m_key == "distributedInfo")
            next = Place::distributed;
        else if (place() == Place::devices)
            next = Place::device;
        if (next == Place::event)
            m_event = TraceEvent{};
        if (next == Place::device)
            ++m_trace.listed_devices;
        return open(next);
    }
    bool start_array(std::size_t /*elements*/) override {
        Place next = Place::elsewhere;
        if (m_places.empty()) // Chrome's format also allows a plain array of events
            next = Place::events;
        else if (place() == Place::document && m_key == "traceEvents")
            next = Place::events;
        else if (place() == Place::document && m_key == "deviceProperties")
            next = Place::devices;
        return open(next);
    }
    bool end_object() override {
        const bool is_event = place() == Place::event;
        m_places.pop_back();
        return !is_event || take_event();
    }
    bool end_array() override {
        m_places.pop_back();
        return true;
    }
    bool parse_error(std::size_t position, const std::string & /*token*/,
                     const nlohmann::detail::exception &error) override {
        if (m_error.empty())
            m_error = json_error_text(position, error.what());
        return false;
    }

private:
    Place place() const { return m_places.empty() ? Place::elsewhere : m_places.back(); }

    bool fail(std::string what) {
        m_error = std::move(what);
        return false;
    }
    bool open(Place next) {
        if (m_places.size() >= static_cast<std::size_t>(deepest_input_nesting))
            return fail(fmt::format("nested deeper than {} levels", deepest_input_nesting));
        m_places.push_back(next);
        return true;
    }

    /// Reads a string value; some writers put times in quotation marks.
    void spelled(std::string_view text) {
        if (m_key == "ts" || m_key == "dur")
            if (const auto value = whole_number_of(text))
                number(*value);
    }

    bool number(double value) {
        if (place() == Place::event) {
            if (m_key == "ts")
                m_event.time = value;
            else if (m_key == "dur")
                m_event.duration = value;
            else if (m_key == "pid")
                m_event.process = value;
        } else if (place() == Place::event_arguments && m_key == "device") {
            m_event.device = value;
        } else if (place() == Place::distributed && m_key == "rank") {
            m_trace.rank = value;
        } else if (place() == Place::distributed && m_key == "world_size") {
            m_trace.world_size = value;
        } else if (place() == Place::device && m_key == "totalGlobalMem" && m_trace.device_bytes == 0) {
            m_trace.device_bytes = value;
        }
        return true;
    }

    bool take_event() {
        ++m_trace.events;
        const bool timed = m_event.phase == "X" && m_event.time && m_event.duration
            && std::abs(*m_event.time) < largest_time && *m_event.duration >= 0 && *m_event.duration < largest_time;
        if (timed && !m_origin)
            m_origin = m_event.time;
        const bool kernel = m_event.category == "kernel" || m_event.category == "Kernel";
        const bool copy = m_event.category == "gpu_memcpy" || m_event.category == "gpu_memset"
            || m_event.category == "Memcpy" || m_event.category == "Memset";
        if (timed && (kernel || copy))
            return take_span(kernel);
        if (timed && m_event.name.starts_with("ProfilerStep#"))
            take_step();
        const std::string category = m_event.category.empty() ? "(none)" : m_event.category.substr(0, 60);
        if (m_trace.others.size() < max_categories || m_trace.others.contains(category))
            ++m_trace.others[category];
        return true;
    }

    double begin() const { return *m_event.time - *m_origin; }

    bool take_span(bool is_kernel) {
        if (m_trace.spans.size() >= max_spans)
            return fail(fmt::format("more than {} kernels and copies", max_spans));
        const KernelClass kind = is_kernel ? class_of_kernel(m_event.name) : KernelClass::copy;
        m_trace.spans.push_back({.begin = begin(),
                                 .end = begin() + *m_event.duration,
                                 .device = device_place(m_event.device.value_or(m_event.process.value_or(0))),
                                 .kind = kind,
                                 .communication = kind == KernelClass::communication
                                     ? communication_of_kernel(m_event.name, m_event.collective)
                                     : CommunicationKind::other,
                                 .is_kernel = is_kernel});
        if (is_kernel && (m_trace.kernels.size() < max_kernel_names || m_trace.kernels.contains(m_event.name))) {
            KernelTotal &total = m_trace.kernels[m_event.name];
            ++total.count;
            total.microseconds += *m_event.duration;
        }
        return true;
    }

    std::uint32_t device_place(double id) {
        const auto found = std::find(m_trace.devices.begin(), m_trace.devices.end(), id);
        if (found != m_trace.devices.end())
            return static_cast<std::uint32_t>(found - m_trace.devices.begin());
        if (m_trace.devices.size() < max_trace_devices)
            m_trace.devices.push_back(id);
        return static_cast<std::uint32_t>(m_trace.devices.size() - 1);
    }

    void take_step() {
        const auto number = whole_number_of(std::string_view(m_event.name).substr(m_event.name.find('#') + 1));
        if (number && *number >= 0 && *number < 1e15 && m_trace.steps.size() < max_profiler_steps)
            m_trace.steps.push_back({.number = static_cast<std::int64_t>(*number),
                                     .begin = begin(),
                                     .end = begin() + *m_event.duration,
                                     .is_of_gpu = m_event.category.starts_with("gpu_")});
    }

    KinetoTrace &m_trace;
    std::vector<Place> m_places;
    std::string m_key;
    TraceEvent m_event;
    std::optional<double> m_origin; ///< time of the first event with a duration
    std::string m_error;
};

} // namespace

KinetoTrace read_kineto_trace(std::streambuf &stream) {
    KinetoTrace trace;
    TraceSax reader(trace);
    std::istream input(&stream);
    if (!TraceJson::sax_parse(input, &reader))
        throw InputError("", reader.error().empty() ? "invalid JSON" : reader.error(),
                         "expected a trace of the PyTorch profiler: JSON with traceEvents");
    return trace;
}

} // namespace meshwright
