// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/timeline.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace meshwright {

namespace {

/// Stage times whose parts run one after another: which of them lie on a stream, and where.
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

/// Weights before each stage's first pass, gradients after its last.
std::vector<StreamInterval> data_intervals(const OperationOrder &order, const PipelineWork &work,
                                           const Timeline &timeline, std::int64_t rank) {
    std::vector<StreamInterval> intervals;
    const std::uint32_t begin = order.rank_begin[static_cast<std::size_t>(rank)];
    const std::uint32_t end = order.rank_begin[static_cast<std::size_t>(rank) + 1];
    std::vector<bool> met(order.rank_of.size());
    double free = 0;
    const auto place = [&](std::uint32_t i) {
        return static_cast<std::size_t>(order.operations[i].direction * order.stages + order.operations[i].stage);
    };
    const auto add = [&](double from, double seconds, std::uint32_t operation) {
        const double start = std::max(free, from);
        free = start + seconds;
        if (seconds > 0)
            intervals.push_back({.start = start, .end = free, .operation = operation});
    };
    for (std::uint32_t i = begin; i < end; ++i)
        if (!met[place(i)]) {
            met[place(i)] = true;
            add(0, work.stages[order.operations[i].stage].gather_seconds, i);
        }
    std::vector<std::uint32_t> last;
    met.assign(met.size(), false);
    for (std::uint32_t i = end; i-- > begin;)
        if (!met[place(i)] && order.operations[i].kind != OperationKind::forward) {
            met[place(i)] = true;
            last.push_back(i);
        }
    std::reverse(last.begin(), last.end());
    free = 0;
    for (const std::uint32_t i : last)
        add(timeline.end[i], work.stages[order.operations[i].stage].reduce_seconds, i);
    return intervals;
}

/// When the last thing that an operation (with the other half of its block) needed was made; its start where that came
/// without a send.
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
        const StageWork &stage = work.stages[one.stage];
        return one.kind == OperationKind::forward ? stage.forward_bytes : stage.backward_bytes;
    };
    const Operation &one = order.operations[operation];
    if (one.block == BlockHalf::none)
        return of(one);
    return of(one) + of(order.operations[one.block == BlockHalf::first_half ? operation + 1 : operation - 1]);
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
        return data_intervals(order, work, timeline, rank);
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
