// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/shared_capacity.h"

#include "outer/timeline.h"

#include <algorithm>
#include <numeric>

namespace meshwright {

namespace {
constexpr double nothing_left = 1e-9; ///< of a flow's bits: rounding
}

SharedCapacity::SharedCapacity(double bits_per_second)
    : m_segments{{0, bits_per_second}} { }

void SharedCapacity::forget_before(double time) {
    const std::size_t first = segment_at(time);
    m_segments.erase(m_segments.begin(), m_segments.begin() + static_cast<std::ptrdiff_t>(first));
}

std::size_t SharedCapacity::segment_at(double time) const {
    const auto after = std::upper_bound(m_segments.begin(), m_segments.end(), time,
                                        [](double t, const Segment &segment) { return t < segment.start; });
    return after == m_segments.begin() ? 0 : static_cast<std::size_t>(after - m_segments.begin()) - 1;
}

void SharedCapacity::split(double time) {
    const std::size_t place = segment_at(time);
    if (m_segments[place].start < time)
        m_segments.insert(m_segments.begin() + static_cast<std::ptrdiff_t>(place) + 1, {time, m_segments[place].free});
}

void SharedCapacity::take(double from, double to, double rate) {
    split(from);
    split(to);
    for (std::size_t i = segment_at(from); i < m_segments.size() && m_segments[i].start < to; ++i)
        m_segments[i].free = std::max(0.0, m_segments[i].free - rate);
}

/// Slow links first: each gets an equal share of what is left, or what it can use.
void SharedCapacity::set_rates(double free) {
    double left = free;
    for (std::size_t i = 0; i < m_active.size(); ++i) {
        const double fair = left / static_cast<double>(m_active.size() - i);
        const double rate = std::min(fair, (*m_flows)[m_active[i]].most_bits_per_second);
        m_rates[m_active[i]] = rate;
        left -= rate;
    }
}

void SharedCapacity::share(std::vector<Flow> &flows) {
    if (flows.empty())
        return;
    m_flows = &flows;
    const std::size_t count = flows.size();
    m_order.resize(count);
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    std::sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
        return flows[a].start != flows[b].start ? flows[a].start < flows[b].start : a < b;
    });
    m_left.resize(count);
    m_rates.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i)
        m_left[i] = flows[i].bits;
    m_active.clear();
    std::size_t next = 0;
    double time = flows[m_order.front()].start;
    forget_before(time);
    while (next < count || !m_active.empty()) {
        if (m_active.empty())
            time = std::max(time, flows[m_order[next]].start);
        for (; next < count && flows[m_order[next]].start <= time; ++next) {
            const auto slower = [&](std::size_t a, std::size_t b) {
                return flows[a].most_bits_per_second < flows[b].most_bits_per_second;
            };
            m_active.insert(std::upper_bound(m_active.begin(), m_active.end(), m_order[next], slower), m_order[next]);
        }
        const std::size_t segment = segment_at(time);
        set_rates(m_segments[segment].free);
        double until = next < count ? flows[m_order[next]].start : never;
        if (segment + 1 < m_segments.size())
            until = std::min(until, m_segments[segment + 1].start);
        double used = 0;
        for (const std::size_t flow : m_active) {
            used += m_rates[flow];
            if (m_rates[flow] > 0)
                until = std::min(until, time + m_left[flow] / m_rates[flow]);
        }
        for (const std::size_t flow : m_active)
            m_left[flow] -= m_rates[flow] * (until - time);
        if (used > 0 && until > time)
            take(time, until, used);
        time = until;
        std::erase_if(m_active, [&](std::size_t flow) {
            const bool done =
                m_left[flow] <= nothing_left * flows[flow].bits || m_left[flow] <= m_rates[flow] * 1e-12 * time;
            if (done)
                flows[flow].end = time;
            return done;
        });
    }
}

} // namespace meshwright
