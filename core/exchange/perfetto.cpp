// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/perfetto.h"

#include "input/diagnostic.h"
#include "input/stop_scope.h"
#include "pipeline/order_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace meshwright {

namespace {

constexpr std::size_t max_traced = 1'000'000;
constexpr std::array streams{Stream::compute, Stream::p2p, Stream::tensor, Stream::data, Stream::expert};

double microseconds(double seconds) {
    return 1e6 * seconds;
}

/// Writes one event per line. All names are the program's own and need no escaping.
class TraceWriter {
public:
    explicit TraceWriter(const PlanPipeline &pipeline)
        : m_pipeline(pipeline)
        , m_order(pipeline.order)
        , m_timeline(pipeline.timeline) { }

    std::string write() {
        std::string text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
        for (std::int64_t rank = 0; rank < m_order.ranks; ++rank) {
            end_if_stopped();
            m_events.clear();
            names(rank);
            for (const Stream stream : streams)
                slices(rank, stream);
            arrows(rank);
            memory(rank);
            // Ranks have about as many events each: a text of half a gigabyte is not copied while it grows.
            if (rank == 0)
                text.reserve((m_events.size() + m_events.size() / 8) * static_cast<std::size_t>(m_order.ranks));
            else
                text += ",\n";
            text.append(m_events.data(), m_events.size());
        }
        text += "\n]}\n";
        return text;
    }

private:
    template <typename... Arguments>
    void event(fmt::format_string<Arguments...> form, Arguments &&...arguments) {
        if (m_events.size() > 0)
            fmt::format_to(std::back_inserter(m_events), ",\n");
        fmt::format_to(std::back_inserter(m_events), form, std::forward<Arguments>(arguments)...);
    }

    void names(std::int64_t rank) {
        event(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":"rank {}"}}}})", rank, rank);
        event(R"({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}})", rank, rank);
        for (const Stream stream : streams) {
            const auto thread = static_cast<int>(stream);
            event(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}}}})", rank, thread,
                  stream_names()[static_cast<std::size_t>(thread)]);
        }
    }

    std::string name_of_slice(const StreamInterval &interval, Stream stream) const {
        const std::uint32_t index = interval.operation;
        const Operation &operation = m_order.operations[index];
        const std::string text = operation_text(m_order, operation);
        if (stream == Stream::compute && operation.block == BlockHalf::first_half)
            return text + " + " + operation_text(m_order, m_order.operations[index + 1]);
        if (stream == Stream::data)
            return interval.gathers ? "weights" : "gradients";
        return text;
    }

    /// Slices of a thread must not overlap, so a send is cut off where the next one starts.
    void slices(std::int64_t rank, Stream stream) {
        const std::vector<StreamInterval> intervals =
            stream_intervals(m_order, m_pipeline.work, m_timeline, rank, stream);
        constexpr std::array kinds{"forward", "backward", "input gradient", "weight gradient"};
        for (std::size_t i = 0; i < intervals.size(); ++i) {
            const StreamInterval &interval = intervals[i];
            const Operation &operation = m_order.operations[interval.operation];
            if (stream == Stream::compute && operation.block == BlockHalf::second_half)
                continue;
            const double next =
                i + 1 < intervals.size() && stream == Stream::p2p ? intervals[i + 1].start : interval.end;
            const double seconds = std::max(0.0, std::min(interval.end, next) - interval.start);
            event(
                R"({{"ph":"X","name":"{}","cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"stage":{},"microbatch":{},"chunk":{}}}}})",
                name_of_slice(interval, stream), kinds.at(static_cast<std::size_t>(operation.kind)), rank,
                static_cast<int>(stream), microseconds(interval.start), microseconds(seconds), operation.stage,
                m_order.microbatch_of(operation), m_order.chunk_of(operation));
        }
    }

    /// Draws flow arrows from each send to the operation that needs it.
    void arrows(std::int64_t rank) {
        const std::uint32_t begin = m_order.rank_begin[static_cast<std::size_t>(rank)];
        const std::uint32_t end = m_order.rank_begin[static_cast<std::size_t>(rank) + 1];
        for (std::uint32_t i = begin; i < end; ++i) {
            const std::uint32_t receiver = m_timeline.receiver[i];
            if (receiver == no_operation || std::isnan(m_timeline.arrival[i]))
                continue;
            const Operation &operation = m_order.operations[receiver];
            const auto to =
                m_order.rank_of[static_cast<std::size_t>(operation.direction * m_order.stages) + operation.stage];
            event(R"({{"ph":"s","name":"send","cat":"p2p","id":{},"pid":{},"tid":{},"ts":{}}})", i, rank,
                  static_cast<int>(Stream::p2p), microseconds(m_timeline.send_start[i]));
            event(R"({{"ph":"f","bp":"e","name":"send","cat":"p2p","id":{},"pid":{},"tid":{},"ts":{}}})", i, to,
                  static_cast<int>(Stream::compute), microseconds(m_timeline.start[receiver]));
        }
    }

    void memory(std::int64_t rank) {
        const auto r = static_cast<std::size_t>(rank);
        const double resident = r < m_pipeline.work.resident_bytes.size() ? m_pipeline.work.resident_bytes[r] : 0;
        double before = -1;
        const auto sample = [&](double at, double activations, std::int32_t in_flight) {
            if (activations == before)
                return;
            before = activations;
            event(
                R"({{"ph":"C","name":"memory","pid":{},"ts":{},"args":{{"resident bytes":{},"activation bytes":{}}}}})",
                rank, microseconds(at), resident, activations);
            event(R"({{"ph":"C","name":"in flight","pid":{},"ts":{},"args":{{"chunks":{}}}}})", rank, microseconds(at),
                  in_flight);
        };
        for (std::uint32_t i = m_order.rank_begin[r]; i < m_order.rank_begin[r + 1]; ++i)
            sample(m_timeline.start[i], m_timeline.activation_bytes[i], m_timeline.in_flight[i]);
        sample(m_timeline.rank_end[r], 0, 0);
    }

    const PlanPipeline &m_pipeline;
    const OperationOrder &m_order;
    const Timeline &m_timeline;
    fmt::memory_buffer m_events; ///< events of the rank that is being written
};

} // namespace

std::string perfetto_trace(const PlanPipeline &pipeline) {
    if (pipeline.order.operations.size() > max_traced)
        throw InputError("", fmt::format("the trace would have {} operations", pipeline.order.operations.size()),
                         fmt::format("expected at most {}", max_traced));
    return TraceWriter(pipeline).write();
}

} // namespace meshwright
