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
    double now = 0; ///< time at which the rank's compute stream is free
    double line = 0; ///< time at which the rank's point-to-point stream is free
};

struct Holding {
    double activations = 0;
    double weight_gradients = 0;
    std::int32_t in_flight = 0;
};

/// Executes like `pipeline_times`, but records everything: first the start and end of each operation, then, rank by
/// rank, the values that follow from these times.
class Recording {
public:
    Recording(const OperationOrder &order, const PipelineWork &work)
        : m_order(order)
        , m_work(work)
        , m_wiring(order, work)
        , m_units(static_cast<std::size_t>(order.units()))
        , m_forward(order.rank_of.size() * m_units, no_operation)
        , m_backward(m_forward) {
        make_room();
    }

    Timeline take() {
        run();
        for (std::size_t r = 0; r < ranks(); ++r)
            write_down(r);
        for (std::uint32_t i = 0; i < m_order.operations.size(); ++i)
            meet_producer(i);
        totals();
        for (std::size_t r = 0; r < ranks(); ++r)
            name_waits(r);
        follow_critical_path();
        return std::move(m_timeline);
    }

private:
    std::size_t ranks() const { return static_cast<std::size_t>(m_order.ranks); }

    void make_room() {
        const std::size_t operations = m_order.operations.size();
        Timeline &t = m_timeline;
        t.waits_for_sends = m_work.sending == Sending::blocking;
        t.start.resize(operations);
        t.end.resize(operations);
        t.receiver.assign(operations, no_operation);
        for (std::vector<double> *written : {&t.send_start, &t.arrival, &t.activation_bytes, &t.weight_gradient_bytes})
            written->reserve(operations);
        t.producer.reserve(operations);
        t.waiting.reserve(operations);
        t.in_flight.reserve(operations);
        t.rank_start.assign(ranks(), 0.0);
        t.rank_end.assign(ranks(), 0.0);
        t.busy_seconds.assign(ranks(), 0.0);
        t.peak_bytes.assign(ranks(), 0.0);
        t.peak_operation.assign(ranks(), no_operation);
        t.peak_in_flight.assign(ranks(), 0);
    }

    const Operation &operation(std::uint32_t index) const { return m_order.operations[index]; }
    std::size_t place(const Operation &op) const {
        return op.direction * static_cast<std::size_t>(m_order.stages) + op.stage;
    }
    std::size_t node(const Operation &op) const { return place(op) * m_units + op.unit; }
    /// Last operation of a forward-backward block, or the operation itself.
    std::uint32_t last_of(std::uint32_t first) const {
        return operation(first).block == BlockHalf::first_half ? first + 1 : first;
    }
    double seconds_of(std::uint32_t first, std::uint32_t last) const {
        return first == last ? m_wiring.port(operation(first)).seconds
                             : m_wiring.block_seconds(operation(first), operation(last));
    }

    /// Calculates the start and end of every operation. Visits the ranks in both directions until none progresses.
    void run() {
        std::vector<Progress> all;
        for (std::size_t r = 0; r < ranks(); ++r)
            all.push_back({.next = m_order.rank_begin[r], .end = m_order.rank_begin[r + 1]});
        bool moved = true;
        while (moved) {
            moved = false;
            for (Progress &rank : all)
                moved |= advance(rank);
            for (std::size_t r = ranks(); r-- > 0;)
                moved |= advance(all[r]);
        }
        for (const Progress &rank : all)
            if (rank.next != rank.end)
                refuse_deadlock(m_order);
    }

    bool advance(Progress &rank) {
        const std::uint32_t begin = rank.next;
        while (rank.next != rank.end) {
            const std::uint32_t first = rank.next;
            const std::uint32_t last = last_of(first);
            double start = rank.now;
            bool ready = true;
            for (std::uint32_t i = first; i <= last; ++i) {
                const double arrived = m_wiring.port(operation(i)).in[operation(i).unit];
                ready = ready && arrived >= 0;
                start = std::max(start, arrived);
            }
            if (!ready)
                break;
            const double end = start + seconds_of(first, last);
            rank.now = end;
            for (std::uint32_t i = first; i <= last; ++i) {
                m_timeline.start[i] = start;
                m_timeline.end[i] = end;
                const Port &port = m_wiring.port(operation(i));
                const Message message = send(port, rank.line, end);
                port.out[operation(i).unit] = message.arrival;
                if (m_work.sending == Sending::blocking)
                    rank.now = std::max(rank.now, message.arrival);
            }
            rank.next = last + 1;
        }
        return rank.next != begin;
    }

    struct Message {
        double begin = 0;
        double arrival = 0;
    };

    /// Sends an operation's output to its receiver. @param line  time at which the rank's p2p stream is free; updated
    static Message send(const Port &port, double &line, double end) {
        const bool crosses = port.latency + port.transfer > 0;
        const double begin = std::max(end, crosses ? line : end);
        const double sent = begin + port.transfer;
        if (crosses)
            line = sent;
        return {.begin = begin, .arrival = sent + port.latency};
    }

    void write_down(std::size_t r) {
        Holding held;
        double line = 0;
        const std::uint32_t end = m_order.rank_begin[r + 1];
        for (std::uint32_t first = m_order.rank_begin[r]; first < end;) {
            const std::uint32_t last = last_of(first);
            m_timeline.busy_seconds[r] += seconds_of(first, last);
            for (std::uint32_t i = first; i <= last; ++i)
                begin(operation(i), i, held);
            note_memory(r, first, last, held);
            for (std::uint32_t i = first; i <= last; ++i) {
                release(held, operation(i));
                note_message(i, line);
            }
            first = last + 1;
        }
    }

    void begin(const Operation &op, std::uint32_t i, Holding &held) {
        if (op.kind == OperationKind::forward) {
            m_forward[node(op)] = i;
            held.activations += m_work.stages[op.stage].activation_bytes;
            ++held.in_flight;
            return;
        }
        if (op.kind != OperationKind::weight_gradient)
            m_backward[node(op)] = i;
    }

    void note_memory(std::size_t r, std::uint32_t first, std::uint32_t last, const Holding &rank) {
        const double held = rank.activations + working_bytes(m_order, m_work, first);
        for (std::uint32_t i = first; i <= last; ++i) {
            m_timeline.activation_bytes.push_back(held);
            m_timeline.weight_gradient_bytes.push_back(rank.weight_gradients);
            m_timeline.in_flight.push_back(rank.in_flight);
        }
        m_timeline.peak_in_flight[r] = std::max(m_timeline.peak_in_flight[r], rank.in_flight);
        if (m_timeline.peak_operation[r] == no_operation || held > m_timeline.peak_bytes[r]) {
            m_timeline.peak_bytes[r] = held;
            m_timeline.peak_operation[r] = first;
        }
    }

    void release(Holding &held, const Operation &op) const {
        const StageWork &stage = m_work.stages[op.stage];
        switch (op.kind) {
        case OperationKind::forward:
            return;
        case OperationKind::input_gradient:
            held.activations -= stage.activation_bytes - stage.weight_gradient_bytes;
            held.weight_gradients += stage.weight_gradient_bytes;
            return;
        case OperationKind::weight_gradient:
            held.activations -= stage.weight_gradient_bytes;
            held.weight_gradients -= stage.weight_gradient_bytes;
            break;
        case OperationKind::backward:
            held.activations -= stage.activation_bytes;
            break;
        }
        --held.in_flight;
    }

    void note_message(std::uint32_t i, double &line) {
        const Port &port = m_wiring.port(operation(i));
        const bool crosses = port.latency + port.transfer > 0;
        const Message message = send(port, line, m_timeline.end[i]);
        m_timeline.send_start.push_back(crosses ? message.begin : never);
        m_timeline.arrival.push_back(crosses ? message.arrival : never);
    }

    void meet_producer(std::uint32_t i) {
        const Operation &op = operation(i);
        const std::size_t own = node(op);
        std::uint32_t producer = no_operation;
        if (op.kind == OperationKind::forward)
            producer = op.stage > 0 ? m_forward[own - m_units] : no_operation;
        else if (op.kind == OperationKind::weight_gradient)
            producer = m_backward[own];
        else
            producer = op.stage + 1 < m_order.stages ? m_backward[own + m_units] : m_forward[own];
        m_timeline.producer.push_back(producer);
        if (producer != no_operation && op.kind != OperationKind::weight_gradient)
            m_timeline.receiver[producer] = i;
    }

    void totals() {
        Timeline &t = m_timeline;
        for (std::size_t r = 0; r < ranks(); ++r) {
            const std::uint32_t begin = m_order.rank_begin[r];
            const std::uint32_t end = m_order.rank_begin[r + 1];
            t.rank_start[r] = t.start[begin];
            t.rank_end[r] = t.end[end - 1];
            t.makespan = std::max(t.makespan, t.rank_end[r]);
            t.span = std::max(t.span, t.rank_end[r] - t.rank_start[r]);
            t.ideal = std::max(t.ideal, t.busy_seconds[r]);
            t.peak_bytes[r] += r < m_work.resident_bytes.size() ? m_work.resident_bytes[r] : 0;
        }
        t.data_end = t.rank_end;
        for (std::size_t r = 0; r < std::min(ranks(), m_work.collectives.size()); ++r)
            t.data_end[r] += m_work.collectives[r].exposed_seconds();
        t.step_seconds = *std::max_element(t.data_end.begin(), t.data_end.end());
    }

    void name_waits(std::size_t r) {
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
            m_timeline.waiting.push_back(i <= first_backward     ? IdleCause::warm_up
                                             : i >= last_forward ? IdleCause::drain
                                                                 : IdleCause::imbalance);
    }

    /// From the operation that ends last, walks back to the operation that determined its start, and so on.
    void follow_critical_path() {
        std::uint32_t at = no_operation;
        std::size_t rank = 0;
        for (std::size_t r = 0; r < ranks(); ++r)
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

    /// Operation whose message determined the start, otherwise the previous operation on the rank.
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
    std::vector<std::uint32_t> m_forward; ///< index of each operation, by direction, stage and microbatch or slice
    std::vector<std::uint32_t> m_backward;
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
            .data = without([](PipelineWork &less) { less.collectives.clear(); }),
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
