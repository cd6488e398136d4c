// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/rounds.h"

#include "catalog/constants.h"
#include "formulas/outer_loop.h"
#include "formulas/wan.h"
#include "outer/wire.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

namespace meshwright {

namespace {

/// TCP's ceiling from loss and round trip, for segments of 1,460 bytes. Without loss or without distance there is none.
double tcp_limit_bits_per_second(const Wan &wan) {
    constexpr double segment_bytes = 1460;
    if (wan.loss_probability <= 0 || wan.round_trip_seconds <= 0)
        return 1e30;
    return formula::tcp_bits(wan.round_trip_seconds, wan.loss_probability, segment_bytes,
                             static_cast<double>(wan.streams));
}

/// What one fragment takes on the links.
struct Transfer {
    double up_seconds;
    double down_seconds;
};

/// The timeline of one site.
class SiteTimeline {
public:
    SiteTimeline(const Plan &plan, Transfer transfer, double step_seconds)
        : m_overlap(static_cast<double>(plan.outer.overlap_steps))
        , m_wan(*plan.cluster.wan)
        , m_transfer(transfer)
        , m_step(step_seconds) { }

    /// Runs to the end of `step`, waiting before every step that may not start without an update.
    void advance_to(double step) {
        while (!m_pending.empty()) {
            const Pending next = m_pending.front();
            const double boundary = m_done + std::max(0.0, std::ceil((next.arrival - m_clock) / m_step - 1e-9));
            if (boundary <= std::min(step, next.deadline)) {
                move_to(boundary);
                apply(next);
            } else if (next.deadline < step) {
                move_to(next.deadline);
                m_stalled += std::max(0.0, next.arrival - m_clock);
                m_clock = std::max(m_clock, next.arrival);
                apply(next);
            } else {
                break;
            }
        }
        move_to(step);
    }

    /// Sends a fragment at the end of the step that has just run.
    void release() {
        double &down_free = m_wan.full_duplex ? m_down_free : m_up_free;
        const double sent = std::max(m_clock, m_up_free) + m_transfer.up_seconds;
        m_up_free = sent;
        const double averaged = sent + m_wan.round_trip_seconds / 2;
        const double received = std::max(averaged, down_free) + m_transfer.down_seconds;
        down_free = received;
        m_pending.push_back(
            {.arrival = received + m_wan.round_trip_seconds / 2, .released = m_done, .deadline = m_done + m_overlap});
    }

    /// How far its links and updates are ahead of it: rounds that begin alike go on alike.
    std::vector<double> state() const {
        std::vector<double> ahead{std::max(0.0, m_up_free - m_clock), std::max(0.0, m_down_free - m_clock)};
        for (const Pending &update : m_pending) {
            ahead.push_back(std::max(0.0, update.arrival - m_clock));
            ahead.push_back(m_done - update.released);
        }
        return ahead;
    }

    void forget_counts() { m_staleness = m_applied = 0; }
    double clock() const { return m_clock; }
    double stalled() const { return m_stalled; }
    double mean_staleness() const { return m_applied > 0 ? m_staleness / m_applied : 0; }

private:
    struct Pending {
        double arrival;
        double released; ///< step
        double deadline; ///< the last step that may end without it
    };

    void move_to(double step) {
        m_clock += std::max(0.0, step - m_done) * m_step;
        m_done = std::max(m_done, step);
    }
    void apply(const Pending &update) {
        m_staleness += m_done - update.released;
        ++m_applied;
        m_pending.pop_front();
    }

    double m_overlap;
    const Wan &m_wan;
    Transfer m_transfer;
    double m_step;
    double m_clock = 0; ///< end of step m_done, waiting included
    double m_done = 0;
    double m_stalled = 0;
    double m_up_free = 0;
    double m_down_free = 0;
    double m_staleness = 0;
    double m_applied = 0;
    std::deque<Pending> m_pending;
};

void run_round(SiteTimeline &site, double index, double inner_steps, std::int64_t fragments) {
    for (std::int64_t p = 0; p < fragments; ++p) {
        const double offset = std::floor(static_cast<double>(p) * inner_steps / static_cast<double>(fragments));
        site.advance_to(index * inner_steps + offset);
        site.release();
    }
}

bool are_alike(const std::vector<double> &a, const std::vector<double> &b, double tolerance) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [tolerance](double x, double y) { return std::abs(x - y) <= tolerance; });
}

} // namespace

RoundTimes simulate_rounds(const Plan &plan, double parameters, double step_seconds) {
    const Outer &outer = plan.outer;
    const Wan &wan = *plan.cluster.wan;
    const double limit = tcp_limit_bits_per_second(wan);
    const auto fragments = static_cast<double>(outer.fragments);
    const double up_bits = parameters * bits_per_parameter(outer.up);
    const double down_bits = parameters * bits_per_parameter(outer.down);
    const Transfer whole{.up_seconds = up_bits / std::min(limit, wan.uplink_bits_per_second),
                         .down_seconds = down_bits / std::min(limit, wan.downlink_bits_per_second)};
    SiteTimeline site(plan, {whole.up_seconds / fragments, whole.down_seconds / fragments}, step_seconds);

    // Long enough for queues to settle, short enough for a million fragments. Once a round ends as it began all further
    // ones are the same: one is measured.
    double measured = std::clamp(std::floor(20'000 / fragments), 2.0, 40.0);
    const double settling = std::clamp(std::floor(10'000 / fragments), 2.0, 40.0);
    const auto steps = static_cast<double>(outer.inner_steps);
    double index = 0;
    std::vector<double> before;
    while (index < settling) {
        run_round(site, index++, steps, outer.fragments);
        site.advance_to(index * steps);
        std::vector<double> after = site.state();
        if (index > 1 && are_alike(before, after, 1e-9 * step_seconds)) {
            measured = 1;
            break;
        }
        before = std::move(after);
    }
    const double start = site.clock();
    const double stalled_before = site.stalled();
    site.forget_counts();
    for (double round = 0; round < measured; ++round)
        run_round(site, index++, steps, outer.fragments);
    site.advance_to(index * steps);

    RoundTimes times;
    times.round_seconds = (site.clock() - start) / measured;
    times.stall_seconds = (site.stalled() - stalled_before) / measured;
    times.inner_seconds = steps * step_seconds;
    times.utilisation = times.inner_seconds / times.round_seconds;
    times.up_bytes = up_bits / 8;
    times.down_bytes = down_bits / 8;
    times.uplink_load = whole.up_seconds / times.round_seconds;
    times.downlink_load = whole.down_seconds / times.round_seconds;
    times.staleness_steps = site.mean_staleness();
    return times;
}

LossPenalty loss_penalty(const Plan &plan, double parameters) {
    if (plan.outer.method == OuterMethod::none || plan.outer.method == OuterMethod::data_parallel
        || plan.cluster.sites < 2)
        return {};
    const Assumptions assumed(plan.assumptions);
    using enum ConstantId;
    const auto growth = [&](ConstantId step_slope) {
        return formula::loss_penalty(parameters, static_cast<double>(plan.cluster.sites),
                                     static_cast<double>(plan.outer.inner_steps), assumed[replica_loss_slope],
                                     assumed[replica_loss_exponent], assumed[replica_loss_offset], assumed[step_slope]);
    };
    return {.low = growth(inner_steps_loss_low), .high = growth(inner_steps_loss_high)};
}

} // namespace meshwright
