// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/aggregator.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {
constexpr double memory_of_means =
    0.9; ///< weight of the previous value in the moving averages of quorum time and return time
constexpr std::size_t counted_late_rounds = 64;
} // namespace

Aggregator::Aggregator(const Plan &plan, std::int64_t quorum, double step_seconds)
    : m_aggregation(&plan.aggregation)
    , m_quorum(quorum)
    , m_overlap_seconds(static_cast<double>(plan.outer.overlap_steps) * step_seconds)
    , m_late(static_cast<std::size_t>(plan.outer.fragments))
    , m_late_rounds(counted_late_rounds, 0) { }

double Aggregator::grace() const {
    const double to_spare = std::max(0.0, m_overlap_seconds - m_quorum_seconds - m_return_seconds);
    return std::min(m_aggregation->grace_limit_seconds, m_aggregation->grace_share * to_spare);
}

void Aggregator::quorum_took(double seconds) {
    m_quorum_seconds = memory_of_means * m_quorum_seconds + (1 - memory_of_means) * seconds;
}

void Aggregator::returned(double seconds_after_close) {
    m_return_seconds = memory_of_means * m_return_seconds + (1 - memory_of_means) * seconds_after_close;
}

Gathering Aggregator::close(std::int64_t round, std::int64_t fragment, const std::vector<Contribution> &contributions) {
    Gathering gathering{.round = round, .fragment = fragment};
    m_arrivals.clear();
    double all = contributions.empty() ? m_last_close : 0;
    for (const Contribution &contribution : contributions) {
        if (contribution.arrival != never)
            m_arrivals.push_back(contribution.arrival);
        all = std::max(all, std::min(contribution.arrival, contribution.given_up));
    }
    if (!m_arrivals.empty())
        gathering.first_arrival = *std::min_element(m_arrivals.begin(), m_arrivals.end());
    const auto quorum = static_cast<std::size_t>(m_quorum);
    if (m_arrivals.size() >= quorum) {
        const auto kth = m_arrivals.begin() + static_cast<std::ptrdiff_t>(quorum - 1);
        std::nth_element(m_arrivals.begin(), kth, m_arrivals.end());
        gathering.quorum = *kth;
    }
    const double patience = m_aggregation->quorum_wait_seconds && !m_arrivals.empty()
        ? gathering.first_arrival + *m_aggregation->quorum_wait_seconds
        : never;
    gathering.closed = std::min(all, gathering.quorum + grace());
    if (gathering.quorum > patience)
        gathering.closed = std::min(gathering.closed, patience);
    gathering.closed = std::max(gathering.closed, m_last_close);
    m_last_close = gathering.closed;
    const auto arrived = std::count_if(m_arrivals.begin(), m_arrivals.end(),
                                       [&](double arrival) { return arrival <= gathering.closed; });
    gathering.voided = arrived < std::min(m_aggregation->least_quorum, m_quorum);
    if (!m_arrivals.empty())
        quorum_took(std::max(0.0, gathering.closed - gathering.first_arrival));
    settle(gathering, contributions);
    return gathering;
}

void Aggregator::settle(Gathering &gathering, const std::vector<Contribution> &contributions) {
    std::vector<Late> &waiting = m_late[static_cast<std::size_t>(gathering.fragment)];
    if (!gathering.voided && !waiting.empty())
        take_late(gathering);
    for (const Contribution &contribution : contributions) {
        if (contribution.arrival == never) {
            m_counts.lost += 1;
            mark(contribution.journey, UpdateFate::lost);
        } else if (contribution.arrival > gathering.closed) {
            waiting.push_back({contribution.arrival, gathering.round, contribution.journey});
        } else if (gathering.voided) {
            m_counts.voided += 1;
            mark(contribution.journey, UpdateFate::voided);
        } else {
            m_counts.on_time += 1;
            ++gathering.on_time;
            mark(contribution.journey, UpdateFate::on_time);
        }
    }
    if (m_timeline != nullptr)
        m_timeline->gatherings.push_back(gathering);
}

void Aggregator::take_late(Gathering &gathering) {
    std::vector<Late> &waiting = m_late[static_cast<std::size_t>(gathering.fragment)];
    const auto arrived = std::stable_partition(waiting.begin(), waiting.end(),
                                               [&](const Late &late) { return late.arrival > gathering.closed; });
    for (auto late = arrived; late != waiting.end(); ++late) {
        const std::int64_t rounds = gathering.round - late->round;
        m_late_rounds[std::min(static_cast<std::size_t>(rounds) - 1, counted_late_rounds - 1)] += 1;
        if (rounds > m_aggregation->latest_rounds) {
            m_counts.dropped += 1;
            mark(late->journey, UpdateFate::dropped);
            continue;
        }
        m_counts.late += 1;
        m_counts.late_weight += weight_after(rounds);
        ++gathering.late;
        mark(late->journey, UpdateFate::late);
    }
    waiting.erase(arrived, waiting.end());
}

double Aggregator::weight_after(std::int64_t rounds) const {
    const auto delay = static_cast<double>(rounds);
    return m_aggregation->late_weight == LateWeight::inverse ? 1 / (1 + delay)
                                                             : std::pow(m_aggregation->late_decay, delay);
}

void Aggregator::mark(std::size_t journey, UpdateFate fate) {
    if (m_timeline != nullptr && journey < m_timeline->journeys.size())
        m_timeline->journeys[journey].fate = fate;
}

void Aggregator::finish() {
    for (std::vector<Late> &waiting : m_late) {
        m_counts.in_flight += static_cast<double>(waiting.size());
        waiting.clear();
    }
}

void Aggregator::forget_counts() {
    // Late updates that are still waiting remain in the count of sent updates, because their outcome is counted later.
    double waiting = 0;
    for (const std::vector<Late> &late : m_late)
        waiting += static_cast<double>(late.size());
    m_counts = {.sent = waiting};
    std::fill(m_late_rounds.begin(), m_late_rounds.end(), 0);
}

} // namespace meshwright
