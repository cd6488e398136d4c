// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/shared_capacity.h"

#include "outer/timeline.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace meshwright {

namespace {
constexpr double nothing_left = 1e-12; ///< relative tolerance for rounding errors of times and amounts
} // namespace

SharedCapacity::SharedCapacity(double bits_per_second)
    : m_segments{{0, bits_per_second}} { }

void SharedCapacity::forget_before(double time) {
    const auto after = std::upper_bound(m_segments.begin(), m_segments.end(), time,
                                        [](double t, const Segment &segment) { return t < segment.start; });
    if (after - m_segments.begin() > 1)
        m_segments.erase(m_segments.begin(), after - 1);
}

/// Sorts the flows' indices by a key, then by index. Each key is stored next to its index, because keys are read most
/// often.
template <typename Key>
void SharedCapacity::sort_by(const Key &key) {
    m_sorted.resize(m_flows->size());
    for (std::size_t i = 0; i < m_sorted.size(); ++i)
        m_sorted[i] = {key(i), i};
    std::sort(m_sorted.begin(), m_sorted.end());
}

void SharedCapacity::begin(std::vector<Flow> &flows) {
    m_flows = &flows;
    const std::size_t count = flows.size();
    m_by_rate.resize(count);
    m_rates.resize(count);
    m_by_start.resize(count);
    sort_by([&](std::size_t flow) { return flows[flow].max_bits_per_second; });
    for (std::size_t rank = 0; rank < count; ++rank)
        std::tie(m_rates[rank], m_by_rate[rank]) = m_sorted[rank];
    sort_by([&](std::size_t rank) { return flows[m_by_rate[rank]].start; });
    for (std::size_t place = 0; place < count; ++place)
        m_by_start[place] = m_sorted[place].second;
    m_ends.assign(count, 0);
    m_kinds.assign(count, Kind::absent);
    m_used.clear();
    m_fair_ends.clear();
    m_own_ends.clear();
    m_slower = m_own = m_fair = 0;
    m_time = flows[m_by_rate[m_by_start.front()]].start;
    m_carried = m_own_sum = m_fair_rate = 0;
    forget_before(m_time);
}

void SharedCapacity::to_fair(std::size_t rank, double left) {
    m_kinds[rank] = Kind::fair;
    m_ends[rank] = m_carried + left;
    ++m_fair;
    m_fair_ends.push_back({m_ends[rank], rank});
    std::push_heap(m_fair_ends.begin(), m_fair_ends.end());
}

void SharedCapacity::to_own_rate(std::size_t rank, double left) {
    m_kinds[rank] = Kind::own;
    m_ends[rank] = m_time + left / m_rates[rank];
    ++m_own;
    m_own_sum += m_rates[rank];
    m_own_ends.push_back({m_ends[rank], rank});
    std::push_heap(m_own_ends.begin(), m_own_ends.end());
}

void SharedCapacity::join(std::size_t rank, double left) {
    if (rank < m_slower)
        to_own_rate(rank, left);
    else
        to_fair(rank, left);
}

void SharedCapacity::demote(std::size_t rank) {
    const double left = std::max(0.0, m_ends[rank] - m_time) * m_rates[rank];
    m_own_sum = --m_own == 0 ? 0 : m_own_sum - m_rates[rank]; // resets accumulated rounding errors
    to_fair(rank, left);
}

double SharedCapacity::fair_rate_of(double free) const {
    if (m_fair > 0)
        return std::max(0.0, free - m_own_sum) / static_cast<double>(m_fair);
    return m_own_sum <= free ? never : 0;
}

/// Calculates the fair rate at which flows share the free capacity. Flows whose link is faster run at the fair rate,
/// all others at the rate of their own link.
void SharedCapacity::balance(double free) {
    m_fair_rate = fair_rate_of(free);
    while (m_slower > 0 && m_rates[m_slower - 1] > m_fair_rate) {
        --m_slower;
        if (m_kinds[m_slower] != Kind::own)
            continue;
        demote(m_slower);
        m_fair_rate = fair_rate_of(free);
    }
    while (m_slower < m_rates.size() && m_rates[m_slower] <= m_fair_rate) {
        if (m_kinds[m_slower] == Kind::fair) {
            --m_fair;
            to_own_rate(m_slower, std::max(0.0, m_ends[m_slower] - m_carried));
            m_fair_rate = fair_rate_of(free);
        }
        ++m_slower;
    }
    if (m_fair == 0)
        m_fair_rate = 0;
}

void SharedCapacity::drop_stale(std::vector<End> &heap, Kind kind) const {
    while (!heap.empty() && (m_kinds[heap.front().rank] != kind || m_ends[heap.front().rank] != heap.front().at)) {
        std::pop_heap(heap.begin(), heap.end());
        heap.pop_back();
    }
}

double SharedCapacity::next_end() {
    drop_stale(m_own_ends, Kind::own);
    drop_stale(m_fair_ends, Kind::fair);
    double end = m_own_ends.empty() ? never : m_own_ends.front().at;
    if (!m_fair_ends.empty() && m_fair_rate > 0)
        end = std::min(end, m_time + std::max(0.0, m_fair_ends.front().at - m_carried) / m_fair_rate);
    return end;
}

void SharedCapacity::end(std::size_t rank) {
    if (m_kinds[rank] == Kind::fair)
        --m_fair;
    else
        m_own_sum = --m_own == 0 ? 0 : m_own_sum - m_rates[rank];
    m_kinds[rank] = Kind::absent;
    (*m_flows)[m_by_rate[rank]].end = m_time;
}

/// Advances to `until` and ends the flows that are done, with a tolerance for rounding. @pre no flow starts, ends or
/// changes its rate before `until`
void SharedCapacity::advance(double until) {
    take_used(m_time, until);
    m_carried += m_fair_rate * (until - m_time);
    m_time = until;
    for (drop_stale(m_own_ends, Kind::own); !m_own_ends.empty() && m_own_ends.front().at <= m_time * (1 + nothing_left);
         drop_stale(m_own_ends, Kind::own))
        end(m_own_ends.front().rank);
    const double carried = std::max(m_carried * (1 + nothing_left), m_carried + m_fair_rate * nothing_left * m_time);
    for (drop_stale(m_fair_ends, Kind::fair); !m_fair_ends.empty() && m_fair_ends.front().at <= carried;
         drop_stale(m_fair_ends, Kind::fair))
        end(m_fair_ends.front().rank);
}

void SharedCapacity::take_used(double from, double to) {
    if (!(to > from))
        return;
    if (m_used.empty() || m_used.back().start < from)
        m_used.push_back({from, 0});
    m_used.back().free = m_own_sum + m_fair_rate * static_cast<double>(m_fair);
    m_used.push_back({to, 0});
}

/// Updates the capacity left for later fragments. Merges both lists of segments in time order.
void SharedCapacity::merge_used() {
    m_merged.clear();
    std::size_t used = 0;
    double taken = 0;
    for (std::size_t i = 0; i < m_segments.size(); ++i) {
        const double end = i + 1 < m_segments.size() ? m_segments[i + 1].start : never;
        double start = m_segments[i].start;
        for (;;) {
            while (used < m_used.size() && m_used[used].start <= start)
                taken = m_used[used++].free;
            const double free = std::max(0.0, m_segments[i].free - taken);
            if (m_merged.empty() || m_merged.back().free != free)
                m_merged.push_back({start, free});
            if (used >= m_used.size() || m_used[used].start >= end)
                break;
            start = m_used[used].start;
        }
    }
    std::swap(m_segments, m_merged);
}

void SharedCapacity::share(std::vector<Flow> &flows) {
    if (flows.empty())
        return;
    begin(flows);
    const auto start_of = [&](std::size_t place) { return flows[m_by_rate[m_by_start[place]]].start; };
    std::size_t next = 0, segment = 0;
    while (next < flows.size() || m_own + m_fair > 0) {
        if (m_own + m_fair == 0)
            m_time = std::max(m_time, start_of(next));
        for (; next < flows.size() && start_of(next) <= m_time; ++next)
            join(m_by_start[next], flows[m_by_rate[m_by_start[next]]].bits);
        while (segment + 1 < m_segments.size() && m_segments[segment + 1].start <= m_time)
            ++segment;
        balance(m_segments[segment].free);
        double until = next_end();
        if (next < flows.size())
            until = std::min(until, start_of(next));
        if (segment + 1 < m_segments.size())
            until = std::min(until, m_segments[segment + 1].start);
        advance(until);
    }
    merge_used();
}

} // namespace meshwright
