// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/site.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshwright {

namespace {

constexpr double tolerance_steps =
    1e-9; ///< an update that arrives at most this long after a step boundary is applied at that boundary

/// Maximum number of random draws per round. In rounds with more steps, several steps share one draw.
constexpr double max_draws_a_round = 4096;

} // namespace

double Site::steps_of_a_draw(const Plan &plan) {
    return std::ceil(static_cast<double>(plan.outer.inner_steps) / max_draws_a_round);
}

Site::Site(const Plan &plan, const Randomness &random, std::int64_t number, double step_seconds, double rejoin_seconds,
           std::shared_ptr<const LogNormalDraws> step_variation)
    : m_step_draws(random.draws(Randomness::Use::step, static_cast<std::uint64_t>(number)))
    , m_departures(random.draws(Randomness::Use::departure, static_cast<std::uint64_t>(number)))
    , m_absences(random.draws(Randomness::Use::absence, static_cast<std::uint64_t>(number)))
    , m_number(number)
    , m_mean_step(step_seconds)
    , m_rejoin_seconds(rejoin_seconds)
    , m_overlap(static_cast<double>(plan.outer.overlap_steps))
    , m_waits(plan.outer.late_updates == LateUpdates::wait)
    , m_block_steps(steps_of_a_draw(plan))
    , m_step_variation(std::move(step_variation))
    , m_faults(&plan.faults) {
    draw_departure(0);
}

void Site::draw_departure(double from) {
    if (!m_faults->site_mtbf_seconds)
        return;
    const auto index = static_cast<std::uint64_t>(m_counts.departures);
    m_departure = from + m_departures.exponential(index, *m_faults->site_mtbf_seconds);
    const double absence = m_absences.weibull(index, m_faults->site_recovery_seconds, m_faults->site_recovery_shape);
    m_back = m_departure + absence + m_rejoin_seconds;
}

double Site::duration_of(double step, double &block_end) const {
    if (m_step_variation == nullptr) {
        block_end = never;
        return m_mean_step;
    }
    const double block = m_block_steps > 1 ? std::floor(step / m_block_steps) : step;
    block_end = (block + 1) * m_block_steps;
    return m_mean_step * m_step_variation->of(m_step_draws, static_cast<std::uint64_t>(block));
}

/// Runs to the end of `last_step`, or to the first step boundary at or after `until`, unless the site leaves earlier.
void Site::run(double last_step, double until) {
    while (m_steps < last_step && m_clock < until) {
        double block_end = never;
        const double duration = duration_of(m_steps, block_end);
        double steps = std::min(last_step, block_end) - m_steps;
        if (steps <= 0 || until - m_clock <= tolerance_steps * duration)
            return;
        if (until != never && steps > 1)
            steps = std::min(steps, std::ceil((until - m_clock) / duration - tolerance_steps));
        const double start = m_clock;
        if (m_clock + steps * duration > m_departure) {
            const double whole = std::clamp(std::floor((m_departure - m_clock) / duration), 0.0, steps);
            m_clock += whole * duration;
            m_steps += whole;
            m_counts.computed += whole * duration;
            record_steps(start, m_clock, duration);
            leave();
            return;
        }
        m_clock += steps * duration;
        m_steps += steps;
        m_counts.computed += steps * duration;
        record_steps(start, m_clock, duration);
    }
}

void Site::leave() {
    m_away = true;
    m_pending.clear();
    m_taken = 0;
    ++m_counts.departures;
}

void Site::resume(double step) {
    const double start = m_clock;
    m_away = false;
    m_counts.away += m_back - start;
    record(SiteActivity::away, start, m_back - m_rejoin_seconds);
    record(SiteActivity::rejoin, m_back - m_rejoin_seconds, m_back);
    m_clock = m_back;
    m_steps = step;
    m_departure = m_back = never;
    draw_departure(m_clock);
}

void Site::stall_until(double time, std::int64_t fragment) {
    if (time > m_departure) {
        m_counts.stalled += m_departure - m_clock;
        record(SiteActivity::stall, m_clock, m_departure, fragment);
        m_clock = m_departure;
        leave();
        return;
    }
    if (time <= m_clock)
        return;
    m_counts.stalled += time - m_clock;
    record(SiteActivity::stall, m_clock, time, fragment);
    m_clock = time;
}

Site::Reached Site::advance_to(double step) {
    while (!m_away && has_pending()) {
        const Update next = m_pending[m_taken];
        const bool must = m_waits && next.deadline < step;
        run(must ? next.deadline : step, next.arrival);
        if (m_away)
            break;
        if (m_clock < next.arrival - tolerance_steps * m_mean_step) {
            if (!must)
                return Reached::step;
            stall_until(next.arrival, next.fragment);
            if (m_away)
                break;
        }
        apply(next);
    }
    if (!m_away)
        run(step, never);
    return m_away ? Reached::away : Reached::step;
}

void Site::expect(double released, double arrival, std::int64_t fragment, std::size_t journey) {
    if (2 * m_taken > m_pending.size()) { // remove applied updates once they are more than half of the queue
        m_pending.erase(m_pending.begin(), m_pending.begin() + static_cast<std::ptrdiff_t>(m_taken));
        m_taken = 0;
    }
    m_pending.push_back({arrival, released, released + m_overlap, fragment, journey});
}

void Site::apply(const Update &update) {
    const double staleness = m_steps - update.released;
    m_counts.staleness_steps += staleness;
    m_counts.applied += 1;
    if (m_timeline != nullptr && update.journey != unwatched) {
        Journey &journey = m_timeline->journeys[update.journey];
        journey.applied = m_clock;
        journey.applied_steps_late = staleness;
    }
    if (++m_taken == m_pending.size()) {
        m_pending.clear();
        m_taken = 0;
    }
}

void Site::record(SiteActivity activity, double start, double end, std::int64_t fragment) {
    if (m_timeline == nullptr || !(end > start))
        return;
    m_timeline->spans.push_back({m_number, activity, start, end, fragment});
}

/// Merges consecutive steps of equal length into one span.
void Site::record_steps(double start, double end, double step_seconds) {
    if (m_timeline == nullptr || !(end > start))
        return;
    std::vector<SiteSpan> &spans = m_timeline->spans;
    SiteSpan *last = spans.empty() ? nullptr : &spans.back();
    if (last != nullptr && last->site == m_number && last->activity == SiteActivity::compute && last->end == start
        && last->step_seconds == step_seconds)
        last->end = end;
    else
        spans.push_back({m_number, SiteActivity::compute, start, end, -1, step_seconds});
}

void Site::append_state(std::vector<double> &state) const {
    for (std::size_t i = m_taken; i < m_pending.size(); ++i) {
        const Update &update = m_pending[i];
        state.push_back(std::max(0.0, update.arrival - m_clock));
        state.push_back(m_steps - update.released);
    }
}

} // namespace meshwright
