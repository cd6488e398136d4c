// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/execution.h"
#include "pipeline/simulation.h"

#include <algorithm>

namespace meshwright {

namespace {

/// What must be looked at beside the plain case of sends that cost nothing but latency.
struct Extras {
    bool sends; ///< sends stand in line, or a rank waits for them
    bool data; ///< weights are gathered and gradients reduced
};

/// One rank on its way through its operations.
struct Progress {
    const Operation *next = nullptr;
    const Operation *end = nullptr;
    double now = 0; ///< when its compute stream is free
    double line = 0; ///< when its p2p stream is free
    double busy = 0;
    double first = -1; ///< start of its first operation
    double last = 0; ///< end of its last one, where that is not when it is free again
};

template <Extras extras>
class Execution {
public:
    Execution(const OperationOrder &order, const PipelineWork &work)
        : m_order(order)
        , m_work(work)
        , m_wiring(order, work)
        , m_last_backward(extras.data ? order.rank_of.size() : 0) {
        for (std::int64_t rank = 0; rank < order.ranks; ++rank) {
            const std::span<const Operation> operations = order.of_rank(rank);
            m_ranks.push_back({.next = operations.data(), .end = operations.data() + operations.size()});
        }
    }

    PipelineTimes times() {
        // Down the ranks and up again: forward passes are carried along one way, backward passes the other.
        bool moved = true;
        while (moved) {
            moved = false;
            for (auto &rank : m_ranks)
                moved |= advance(rank);
            for (std::size_t r = m_ranks.size(); r-- > 0;)
                moved |= advance(m_ranks[r]);
        }
        return collect();
    }

private:
    /// Runs a rank as far as it gets. @returns whether it got on
    bool advance(Progress &rank) {
        const Operation *operation = rank.next;
        const Operation *const end = rank.end;
        const Operation *const begin = operation;
        double now = rank.now;
        while (operation != end) {
            if (operation->block == BlockHalf::first_half) {
                if (!run_block(rank, operation, now))
                    break;
                operation += 2;
                continue;
            }
            const Port &port = m_wiring.port(*operation);
            double start = port.in[operation->unit];
            if (start < 0)
                break;
            start = std::max(start, now);
            if constexpr (extras.data)
                start = std::max(start, m_wiring.gathered(*operation));
            note_start(rank, start);
            now = start + port.seconds;
            rank.busy += port.seconds;
            finish(rank, *operation, port, now);
            ++operation;
        }
        rank.next = operation;
        rank.now = now;
        return operation != begin;
    }

    bool run_block(Progress &rank, const Operation *first, double &now) {
        const Operation &second = first[1];
        const Port &forward = m_wiring.port(*first);
        const Port &backward = m_wiring.port(second);
        if (forward.in[first->unit] < 0 || backward.in[second.unit] < 0)
            return false;
        double start = std::max({now, forward.in[first->unit], backward.in[second.unit]});
        if constexpr (extras.data)
            start = std::max({start, m_wiring.gathered(*first), m_wiring.gathered(second)});
        note_start(rank, start);
        const double seconds = m_wiring.block_seconds(*first, second);
        now = start + seconds;
        rank.busy += seconds;
        const double end = now;
        finish(rank, *first, forward, now);
        double behind = end;
        finish(rank, second, backward, behind);
        now = std::max(now, behind);
        return true;
    }

    void note_start(Progress &rank, double start) const {
        if (rank.first < 0)
            rank.first = start;
    }

    /// Sends what was made; with blocking sends the rank goes on when it has arrived.
    void finish(Progress &rank, const Operation &operation, const Port &port, double &now) {
        if constexpr (extras.data)
            if (operation.kind != OperationKind::forward)
                m_last_backward[static_cast<std::size_t>(operation.direction * m_order.stages + operation.stage)] = now;
        if constexpr (extras.sends) {
            rank.last = std::max(rank.last, now);
            const double sent = std::max(now, port.latency + port.transfer > 0 ? rank.line : now) + port.transfer;
            if (port.latency + port.transfer > 0)
                rank.line = sent;
            port.out[operation.unit] = sent + port.latency;
            if (m_work.sending == Sending::blocking)
                now = sent + port.latency;
        } else {
            port.out[operation.unit] = now + port.latency;
        }
    }

    PipelineTimes collect() {
        PipelineTimes times;
        std::vector<double> ends;
        for (const Progress &rank : m_ranks) {
            if (rank.next != rank.end)
                refuse_deadlock(m_order);
            const double end = extras.sends ? rank.last : rank.now;
            ends.push_back(end);
            times.makespan = std::max(times.makespan, end);
            times.span = std::max(times.span, end - std::max(0.0, rank.first));
            times.ideal = std::max(times.ideal, rank.busy);
        }
        times.step_seconds = times.makespan;
        if constexpr (extras.data)
            for (const double end : reduced(m_order, m_work, m_last_backward, ends))
                times.step_seconds = std::max(times.step_seconds, end);
        return times;
    }

    const OperationOrder &m_order;
    const PipelineWork &m_work;
    Wiring m_wiring;
    std::vector<Progress> m_ranks;
    std::vector<double> m_last_backward;
};

} // namespace

PipelineTimes pipeline_times(const OperationOrder &order, const PipelineWork &work) {
    const bool sends = work.hop_transfer_seconds > 0 || work.sending == Sending::blocking;
    const bool data = std::any_of(work.stages.begin(), work.stages.end(), [](const StageWork &stage) {
        return stage.gather_seconds > 0 || stage.reduce_seconds > 0;
    });
    if (sends && data)
        return Execution<Extras{.sends = true, .data = true}>(order, work).times();
    if (sends)
        return Execution<Extras{.sends = true, .data = false}>(order, work).times();
    if (data)
        return Execution<Extras{.sends = false, .data = true}>(order, work).times();
    return Execution<Extras{.sends = false, .data = false}>(order, work).times();
}

} // namespace meshwright
