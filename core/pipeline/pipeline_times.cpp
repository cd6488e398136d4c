// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/execution.h"
#include "pipeline/simulation.h"

#include <algorithm>

namespace meshwright {

namespace {

/// How sends are modeled: `in_line` sends queue on the rank's stream or block it; `plain` sends have only a latency,
/// which is faster to simulate.
enum class Sends { plain, in_line };

struct Progress {
    const Operation *next = nullptr;
    const Operation *end = nullptr;
    double now = 0; ///< time when the rank's compute stream is free
    double line = 0; ///< time when the rank's point-to-point stream is free
    double busy = 0;
    double first = -1; ///< start of its first operation
    double last = 0; ///< end of its last operation; set only for `in_line` sends, which may block the rank longer
};

template <Sends sends>
class Execution {
public:
    Execution(const OperationOrder &order, const PipelineWork &work)
        : m_order(order)
        , m_work(work)
        , m_wiring(order, work) {
        for (std::int64_t rank = 0; rank < order.ranks; ++rank) {
            const std::span<const Operation> operations = order.of_rank(rank);
            m_ranks.push_back({.next = operations.data(), .end = operations.data() + operations.size()});
        }
    }

    PipelineTimes times() {
        // Visits the ranks in alternating directions, because forward and backward passes propagate in opposite
        // directions.
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
    /// Runs a rank as far as possible. @returns whether it made progress
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
        const double start = std::max({now, forward.in[first->unit], backward.in[second.unit]});
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

    /// Sends the output. With blocking sends, the rank waits until the output has arrived.
    void finish(Progress &rank, const Operation &operation, const Port &port, double &now) {
        if constexpr (sends == Sends::in_line) {
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
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            const Progress &rank = m_ranks[r];
            if (rank.next != rank.end)
                refuse_deadlock(m_order);
            const double end = sends == Sends::in_line ? rank.last : rank.now;
            const double exposed = r < m_work.collectives.size() ? m_work.collectives[r].exposed_seconds() : 0;
            times.step_seconds = std::max(times.step_seconds, end + exposed);
            times.makespan = std::max(times.makespan, end);
            times.span = std::max(times.span, end - std::max(0.0, rank.first));
            times.ideal = std::max(times.ideal, rank.busy);
        }
        return times;
    }

    const OperationOrder &m_order;
    const PipelineWork &m_work;
    Wiring m_wiring;
    std::vector<Progress> m_ranks;
};

} // namespace

PipelineTimes pipeline_times(const OperationOrder &order, const PipelineWork &work) {
    if (work.hop_transfer_seconds > 0 || work.sending == Sending::blocking)
        return Execution<Sends::in_line>(order, work).times();
    return Execution<Sends::plain>(order, work).times();
}

} // namespace meshwright
