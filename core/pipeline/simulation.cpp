// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/simulation.h"

#include "pipeline/execution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshwright {

namespace {

constexpr double never = std::numeric_limits<double>::quiet_NaN();

struct Progress {
    std::uint32_t next = 0;
    std::uint32_t end = 0;
    double now = 0;
    double line = 0;
    double activations = 0;
    double weight_gradients = 0;
    std::int32_t in_flight = 0;
};

/// The run of `pipeline_times` once more, with everything written down.
class Recording {
public:
    Recording(const OperationOrder &order, const PipelineWork &work)
        : m_order(order)
        , m_work(work)
        , m_wiring(order, work)
        , m_units(static_cast<std::size_t>(order.units()))
        , m_forward(order.rank_of.size() * m_units, no_operation)
        , m_backward(m_forward)
        , m_last_backward(order.rank_of.size()) {
        make_room();
    }

    Timeline take() {
        bool moved = true;
        while (moved) {
            moved = false;
            for (std::size_t r = 0; r < m_ranks.size(); ++r)
                moved |= advance(r);
            for (std::size_t r = m_ranks.size(); r-- > 0;)
                moved |= advance(r);
        }
        for (const Progress &rank : m_ranks)
            if (rank.next != rank.end)
                refuse_deadlock(m_order);
        totals();
        name_waits();
        follow_critical_path();
        return std::move(m_timeline);
    }

private:
    void make_room() {
        const std::size_t operations = m_order.operations.size();
        const auto ranks = static_cast<std::size_t>(m_order.ranks);
        Timeline &t = m_timeline;
        t.waits_for_sends = m_work.sending == Sending::blocking;
        for (std::vector<double> *times : {&t.start, &t.end, &t.activation_bytes, &t.weight_gradient_bytes})
            times->resize(operations);
        t.send_start.assign(operations, never);
        t.arrival.assign(operations, never);
        t.receiver.assign(operations, no_operation);
        t.producer.assign(operations, no_operation);
        t.waiting.resize(operations);
        t.in_flight.resize(operations);
        t.rank_start.assign(ranks, 0.0);
        t.rank_end.assign(ranks, 0.0);
        t.busy_seconds.assign(ranks, 0.0);
        t.peak_bytes.assign(ranks, 0.0);
        t.peak_operation.assign(ranks, no_operation);
        t.peak_in_flight.assign(ranks, 0);
        m_ranks.resize(ranks);
        for (std::size_t r = 0; r < ranks; ++r) {
            m_ranks[r].next = m_order.rank_begin[r];
            m_ranks[r].end = m_order.rank_begin[r + 1];
        }
    }

    const Operation &operation(std::uint32_t index) const { return m_order.operations[index]; }
    std::size_t place(const Operation &op) const {
        return op.direction * static_cast<std::size_t>(m_order.stages) + op.stage;
    }

    bool advance(std::size_t r) {
        Progress &rank = m_ranks[r];
        const std::uint32_t begin = rank.next;
        while (rank.next != rank.end) {
            const std::uint32_t first = rank.next;
            const std::uint32_t last = operation(first).block == BlockHalf::first_half ? first + 1 : first;
            double start = rank.now;
            bool ready = true;
            for (std::uint32_t i = first; i <= last; ++i) {
                const double arrived = m_wiring.port(operation(i)).in[operation(i).unit];
                ready = ready && arrived >= 0;
                start = std::max({start, arrived, m_wiring.gathered(operation(i))});
            }
            if (!ready)
                break;
            execute(r, first, last, start);
            rank.next = last + 1;
        }
        return rank.next != begin;
    }

    void execute(std::size_t r, std::uint32_t first, std::uint32_t last, double start) {
        Progress &rank = m_ranks[r];
        const double seconds = first == last ? m_wiring.port(operation(first)).seconds
                                             : m_wiring.block_seconds(operation(first), operation(last));
        const double end = start + seconds;
        m_timeline.busy_seconds[r] += seconds;
        for (std::uint32_t i = first; i <= last; ++i) {
            m_timeline.start[i] = start;
            m_timeline.end[i] = end;
            meet_producer(i);
            if (operation(i).kind == OperationKind::forward) {
                rank.activations += m_work.stages[operation(i).stage].activation_bytes;
                ++rank.in_flight;
            }
        }
        note_memory(r, first, last);
        rank.now = end;
        for (std::uint32_t i = first; i <= last; ++i) {
            release(rank, operation(i));
            rank.now = std::max(rank.now, send(rank, i, end));
        }
    }

    void meet_producer(std::uint32_t i) {
        const Operation &op = operation(i);
        const std::size_t node = place(op) * m_units + op.unit;
        const auto last_stage = static_cast<std::uint16_t>(m_order.stages - 1);
        std::uint32_t producer = no_operation;
        if (op.kind == OperationKind::forward) {
            m_forward[node] = i;
            producer = op.stage > 0 ? m_forward[node - m_units] : no_operation;
        } else if (op.kind == OperationKind::weight_gradient) {
            producer = m_backward[node];
        } else {
            m_backward[node] = i;
            producer = op.stage < last_stage ? m_backward[node + m_units] : m_forward[node];
            m_last_backward[place(op)] = m_timeline.end[i];
        }
        if (op.kind == OperationKind::weight_gradient)
            m_last_backward[place(op)] = m_timeline.end[i];
        m_timeline.producer[i] = producer;
        if (producer != no_operation && op.kind != OperationKind::weight_gradient)
            m_timeline.receiver[producer] = i;
    }

    void note_memory(std::size_t r, std::uint32_t first, std::uint32_t last) {
        const Progress &rank = m_ranks[r];
        const double held = rank.activations + working_bytes(m_order, m_work, first);
        for (std::uint32_t i = first; i <= last; ++i) {
            m_timeline.activation_bytes[i] = held;
            m_timeline.weight_gradient_bytes[i] = rank.weight_gradients;
            m_timeline.in_flight[i] = rank.in_flight;
        }
        m_timeline.peak_in_flight[r] = std::max(m_timeline.peak_in_flight[r], rank.in_flight);
        if (m_timeline.peak_operation[r] == no_operation || held > m_timeline.peak_bytes[r]) {
            m_timeline.peak_bytes[r] = held;
            m_timeline.peak_operation[r] = first;
        }
    }

    void release(Progress &rank, const Operation &op) const {
        const StageWork &stage = m_work.stages[op.stage];
        switch (op.kind) {
        case OperationKind::forward:
            return;
        case OperationKind::input_gradient:
            rank.activations -= stage.activation_bytes - stage.weight_gradient_bytes;
            rank.weight_gradients += stage.weight_gradient_bytes;
            return;
        case OperationKind::weight_gradient:
            rank.activations -= stage.weight_gradient_bytes;
            rank.weight_gradients -= stage.weight_gradient_bytes;
            break;
        case OperationKind::backward:
            rank.activations -= stage.activation_bytes;
            break;
        }
        --rank.in_flight;
    }

    /// @returns when the rank is free again
    double send(Progress &rank, std::uint32_t i, double end) {
        const Port &port = m_wiring.port(operation(i));
        const bool crosses = port.latency + port.transfer > 0;
        const double begin = std::max(end, crosses ? rank.line : end);
        const double sent = begin + port.transfer;
        const double arrival = sent + port.latency;
        port.out[operation(i).unit] = arrival;
        if (crosses) {
            rank.line = sent;
            m_timeline.send_start[i] = begin;
            m_timeline.arrival[i] = arrival;
        }
        return m_work.sending == Sending::blocking ? arrival : end;
    }

    void totals() {
        Timeline &t = m_timeline;
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            const std::uint32_t begin = m_order.rank_begin[r];
            const std::uint32_t end = m_order.rank_begin[r + 1];
            t.rank_start[r] = t.start[begin];
            t.rank_end[r] = t.end[end - 1];
            t.makespan = std::max(t.makespan, t.rank_end[r]);
            t.span = std::max(t.span, t.rank_end[r] - t.rank_start[r]);
            t.ideal = std::max(t.ideal, t.busy_seconds[r]);
            t.peak_bytes[r] += r < m_work.resident_bytes.size() ? m_work.resident_bytes[r] : 0;
        }
        t.data_end = reduced(m_order, m_work, m_last_backward, t.rank_end);
        t.step_seconds = *std::max_element(t.data_end.begin(), t.data_end.end());
    }

    void name_waits() {
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            const std::uint32_t begin = m_order.rank_begin[r];
            const std::uint32_t end = m_order.rank_begin[r + 1];
            const auto is_forward = [&](std::uint32_t i) { return operation(i).kind == OperationKind::forward; };
            std::uint32_t first_backward = begin;
            while (first_backward < end && is_forward(first_backward))
                ++first_backward;
            std::uint32_t last_forward = end;
            while (last_forward > begin && !is_forward(last_forward - 1))
                --last_forward;
            for (std::uint32_t i = begin; i < end; ++i)
                m_timeline.waiting[i] = i <= first_backward ? IdleCause::warm_up
                    : i >= last_forward                     ? IdleCause::drain
                                                            : IdleCause::imbalance;
        }
    }

    /// Backwards from the operation that ends last: what each one started right behind.
    void follow_critical_path() {
        std::uint32_t at = no_operation;
        std::size_t rank = 0;
        for (std::size_t r = 0; r < m_ranks.size(); ++r)
            if (at == no_operation || m_timeline.rank_end[r] > m_timeline.end[at]) {
                at = m_order.rank_begin[r + 1] - 1;
                rank = r;
            }
        std::vector<std::uint32_t> &path = m_timeline.critical_path;
        while (at != no_operation) {
            if (operation(at).block == BlockHalf::second_half)
                --at;
            path.push_back(at);
            at = before_on_path(at, rank);
        }
        std::reverse(path.begin(), path.end());
    }

    /// What an operation waited for: a message, or else the operation before it on its rank.
    std::uint32_t before_on_path(std::uint32_t at, std::size_t &rank) const {
        const Timeline &t = m_timeline;
        const std::uint32_t last = operation(at).block == BlockHalf::first_half ? at + 1 : at;
        for (std::uint32_t i = at; i <= last; ++i) {
            const std::uint32_t producer = t.producer[i];
            if (producer == no_operation || operation(i).kind == OperationKind::weight_gradient)
                continue;
            const double arrived = std::isnan(t.arrival[producer]) ? t.end[producer] : t.arrival[producer];
            const std::size_t other = m_order.rank_of[place(operation(producer))];
            if (other != rank && arrived == t.start[at]) {
                rank = other;
                return producer;
            }
        }
        return at == m_order.rank_begin[rank] ? no_operation : at - 1;
    }

    const OperationOrder &m_order;
    const PipelineWork &m_work;
    Wiring m_wiring;
    std::size_t m_units;
    std::vector<std::uint32_t> m_forward; ///< operation of each [direction][stage][unit]
    std::vector<std::uint32_t> m_backward;
    std::vector<double> m_last_backward;
    std::vector<Progress> m_ranks;
    Timeline m_timeline;
};

} // namespace

Timeline simulate(const OperationOrder &order, const PipelineWork &work) {
    return Recording(order, work).take();
}

ExposedCauses exposed_by_cause(const OperationOrder &order, const PipelineWork &work) {
    const double whole = pipeline_times(order, work).step_seconds;
    const auto without = [&](const auto &remove) {
        PipelineWork less = work;
        remove(less);
        return whole - pipeline_times(order, less).step_seconds;
    };
    const auto without_part = [&](double OperationSeconds::*part) {
        return without([part](PipelineWork &less) {
            for (StageWork &stage : less.stages)
                stage.forward.*part = stage.input_gradient.*part = stage.weight_gradient.*part = 0;
        });
    };
    return {.sends = without([](PipelineWork &less) { less.hop_latency_seconds = less.hop_transfer_seconds = 0; }),
            .tensor = without_part(&OperationSeconds::tensor),
            .context = without_part(&OperationSeconds::context),
            .expert = without_part(&OperationSeconds::expert),
            .data = without([](PipelineWork &less) {
                for (StageWork &stage : less.stages)
                    stage.gather_seconds = stage.reduce_seconds = 0;
            }),
            .recompute = without_part(&OperationSeconds::recompute)};
}

std::vector<std::int64_t> peak_in_flight(const OperationOrder &order) {
    std::vector<std::int64_t> peaks;
    for (std::int64_t rank = 0; rank < order.ranks; ++rank) {
        std::int64_t held = 0;
        std::int64_t peak = 0;
        for (const Operation &operation : order.of_rank(rank)) {
            if (operation.kind == OperationKind::forward)
                peak = std::max(peak, ++held);
            else if (operation.kind != OperationKind::input_gradient)
                --held;
        }
        peaks.push_back(peak);
    }
    return peaks;
}

} // namespace meshwright
