// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/timeline.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace meshwright {

namespace {

/// Adds the interval in which an operation uses a stream. Compute and collectives on the same stream run one after
/// another.
void add_part(std::vector<StreamInterval> &intervals, const OperationSeconds &seconds, double from, Stream stream,
              std::uint32_t operation) {
    const double before = from + seconds.compute + seconds.recompute;
    const double length = stream == Stream::tensor ? seconds.tensor : seconds.expert;
    const double start = stream == Stream::tensor ? before : before + seconds.tensor + seconds.context;
    if (length > 0)
        intervals.push_back({.start = start, .end = start + length, .operation = operation});
}

void add_parts(std::vector<StreamInterval> &intervals, const StageWork &stage, const Operation &operation, double from,
               Stream stream, std::uint32_t index) {
    switch (operation.kind) {
    case OperationKind::forward:
        add_part(intervals, stage.forward, from, stream, index);
        return;
    case OperationKind::input_gradient:
        add_part(intervals, stage.input_gradient, from, stream, index);
        return;
    case OperationKind::weight_gradient:
        add_part(intervals, stage.weight_gradient, from, stream, index);
        return;
    case OperationKind::backward:
        add_part(intervals, stage.input_gradient, from, stream, index);
        add_part(intervals, stage.weight_gradient, from + stage.input_gradient.total(), stream, index);
        return;
    }
}

/// Data-parallel communication of a rank, one collective after another.
class DataIntervals {
public:
    DataIntervals(const OperationOrder &order, const PipelineWork &work, const Timeline &timeline, std::int64_t rank)
        : m_order(order)
        , m_timeline(timeline)
        , m_rank(static_cast<std::size_t>(rank))
        , m_traffic(m_rank < work.collectives.size() ? work.collectives[m_rank] : RankCollectives{}) { }

    std::vector<StreamInterval> take() {
        const std::uint32_t begin = m_order.rank_begin[m_rank];
        const std::uint32_t end = m_order.rank_begin[m_rank + 1];
        if (begin == end || !(total() > 0))
            return {};
        add(0, m_traffic.gather_seconds - m_traffic.gather_exposed_seconds, begin, true);
        for (std::uint32_t i = begin; i < end; ++i)
            add_beside(i);
        const double last = m_timeline.rank_end[m_rank] + m_traffic.passes_exposed_seconds;
        add(last + m_traffic.reduce_exposed_seconds - m_traffic.reduce_seconds, m_traffic.reduce_seconds, end - 1,
            false);
        add(last + m_traffic.reduce_exposed_seconds, m_traffic.gather_exposed_seconds, end - 1, true);
        return std::move(m_intervals);
    }

private:
    double total() const {
        return m_traffic.gather_seconds + m_traffic.reduce_seconds + m_traffic.forward_seconds
            + m_traffic.backward_seconds;
    }

    void add_beside(std::uint32_t i) {
        const double parts = static_cast<double>(m_order.slices) * static_cast<double>(m_order.stages)
            / static_cast<double>(m_order.ranks);
        const OperationKind kind = m_order.operations[i].kind;
        if (kind == OperationKind::forward)
            add(m_timeline.start[i], m_traffic.forward_seconds / parts, i, true);
        else if (kind != OperationKind::weight_gradient && ends_a_row(m_order.operations[i]))
            add(m_traffic.microbatches_a_reduction > 1 ? m_timeline.end[i] : m_timeline.start[i],
                m_traffic.backward_seconds / parts, i, false);
    }

    /// Whether gradients are reduced after the operation: after every `microbatches_a_reduction` microbatches and after
    /// the last one.
    bool ends_a_row(const Operation &operation) const {
        const auto next = static_cast<std::int64_t>(operation.unit) / m_order.slices + 1;
        return next % m_traffic.microbatches_a_reduction == 0 || next == m_order.microbatches;
    }

    void add(double from, double seconds, std::uint32_t operation, bool gathers) {
        if (!(seconds > 0))
            return;
        const double start = std::max(m_free, from);
        m_free = start + seconds;
        m_intervals.push_back({.start = start, .end = m_free, .operation = operation, .gathers = gathers});
    }

    const OperationOrder &m_order;
    const Timeline &m_timeline;
    std::size_t m_rank;
    RankCollectives m_traffic;
    double m_free = 0;
    std::vector<StreamInterval> m_intervals;
};

/// Send time of the last message that an operation or the other half of its block waits for. A message is sent at the
/// end of the operation that produced it. If there is no message, returns the start of the operation.
double message_sent(const OperationOrder &order, const Timeline &timeline, std::uint32_t index) {
    const std::uint32_t last = order.operations[index].block == BlockHalf::first_half ? index + 1 : index;
    double sent = timeline.start[index];
    double latest = 0;
    for (std::uint32_t i = index; i <= last; ++i) {
        const std::uint32_t producer = timeline.producer[i];
        if (producer == no_operation || std::isnan(timeline.arrival[producer]) || timeline.arrival[producer] < latest)
            continue;
        latest = timeline.arrival[producer];
        sent = timeline.end[producer];
    }
    return sent;
}

} // namespace

PipelineWork uniform_work(const OperationOrder &order, double forward, double input_gradient, double weight_gradient,
                          double hop) {
    PipelineWork work;
    work.stages.assign(static_cast<std::size_t>(order.stages),
                       StageWork{.forward = {.compute = forward},
                                 .input_gradient = {.compute = input_gradient},
                                 .weight_gradient = {.compute = weight_gradient},
                                 .activation_bytes = 1});
    work.hop_latency_seconds = hop;
    return work;
}

double working_bytes(const OperationOrder &order, const PipelineWork &work, std::uint32_t operation) {
    const auto of = [&](const Operation &one) {
        return work.stages[one.stage].running_bytes[static_cast<std::size_t>(one.kind)];
    };
    const Operation &one = order.operations[operation];
    if (one.block == BlockHalf::none)
        return of(one);
    return std::max(of(one), of(order.operations[one.block == BlockHalf::first_half ? operation + 1 : operation - 1]));
}

const std::vector<std::string> &stream_names() {
    static const std::vector<std::string> names{"compute", "p2p", "tensor", "data", "expert"};
    return names;
}

const std::vector<std::string> &idle_cause_names() {
    static const std::vector<std::string> names{"warm-up", "drain", "send", "imbalance"};
    return names;
}

std::vector<IdleInterval> idle_intervals(const OperationOrder &order, const Timeline &timeline, std::int64_t rank) {
    std::vector<IdleInterval> intervals;
    const std::uint32_t begin = order.rank_begin[static_cast<std::size_t>(rank)];
    const std::uint32_t end = order.rank_begin[static_cast<std::size_t>(rank) + 1];
    double free = 0;
    const auto add = [&](double from, double to, IdleCause cause, std::uint32_t before) {
        if (to > from)
            intervals.push_back({.start = from, .end = to, .cause = cause, .before = before});
    };
    for (std::uint32_t i = begin; i < end; ++i) {
        const double start = timeline.start[i];
        if (start > free) {
            if (timeline.waits_for_sends && i > begin && !std::isnan(timeline.arrival[i - 1])) {
                const double sent = std::min(start, timeline.arrival[i - 1]);
                add(free, sent, IdleCause::send, i);
                free = std::max(free, sent);
            }
            const double made = std::clamp(message_sent(order, timeline, i), free, start);
            add(free, made, timeline.waiting[i], i);
            add(made, start, IdleCause::send, i);
        }
        free = std::max(free, timeline.end[i]);
    }
    add(free, timeline.makespan, IdleCause::drain, no_operation);
    return intervals;
}

std::vector<StreamInterval> stream_intervals(const OperationOrder &order, const PipelineWork &work,
                                             const Timeline &timeline, std::int64_t rank, Stream stream) {
    if (stream == Stream::data)
        return DataIntervals(order, work, timeline, rank).take();
    std::vector<StreamInterval> intervals;
    const std::uint32_t begin = order.rank_begin[static_cast<std::size_t>(rank)];
    const std::uint32_t end = order.rank_begin[static_cast<std::size_t>(rank) + 1];
    for (std::uint32_t i = begin; i < end; ++i) {
        const Operation &operation = order.operations[i];
        if (stream == Stream::compute)
            intervals.push_back({.start = timeline.start[i], .end = timeline.end[i], .operation = i});
        else if (stream == Stream::p2p) {
            if (!std::isnan(timeline.arrival[i]))
                intervals.push_back({.start = timeline.send_start[i], .end = timeline.arrival[i], .operation = i});
        } else {
            add_parts(intervals, work.stages[operation.stage], operation, timeline.start[i], stream, i);
        }
    }
    return intervals;
}

} // namespace meshwright
