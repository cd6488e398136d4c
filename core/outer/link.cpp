// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/link.h"

#include "formulas/wan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace meshwright {

namespace {

/// Time average of a trace over one period. The last point only marks the end.
double mean_of(const std::vector<RatePoint> &trace) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < trace.size(); ++i)
        sum += trace[i].share * (trace[i + 1].seconds - trace[i].seconds);
    return sum / trace.back().seconds;
}

/// @param link a Wan or one of its groups
template <typename Link>
SiteLink link_of(const Link &link) {
    const double limit = tcp_limit_bits_per_second(link.loss_probability, link.streams, link.round_trip_seconds);
    return {.uplink_bits_per_second = std::min(link.uplink_bits_per_second, limit),
            .downlink_bits_per_second = std::min(link.downlink_bits_per_second, limit),
            .one_way_seconds = link.round_trip_seconds / 2,
            .full_duplex = link.full_duplex,
            .jitter_seconds = link.jitter_seconds,
            .rate = {.variation = link.rate_variation,
                     .interval_seconds = link.rate_interval_seconds,
                     .correlation = link.rate_correlation,
                     .trace = &link.rate_trace}};
}

} // namespace

double tcp_limit_bits_per_second(double loss_probability, std::int64_t streams, double round_trip_seconds) {
    constexpr double segment_bytes = 1460;
    if (loss_probability <= 0 || round_trip_seconds <= 0)
        return 1e30;
    return formula::tcp_bits(round_trip_seconds, loss_probability, segment_bytes, static_cast<double>(streams));
}

double RateOverTime::highest_share() const {
    const double drawn = std::max(1.0, LogNormal(variation).of(8.3));
    if (!has_trace())
        return drawn;
    const auto highest = std::max_element(trace->begin(), trace->end(),
                                          [](const RatePoint &a, const RatePoint &b) { return a.share < b.share; });
    return drawn * highest->share;
}

SiteLink site_link(const Wan &wan, std::int64_t site) {
    for (const WanGroup &group : wan.groups) {
        if (site < group.sites)
            return link_of(group);
        site -= group.sites;
    }
    return link_of(wan);
}

std::vector<LinksOfSites> links_of_sites(const Wan &wan, std::int64_t sites) {
    std::vector<LinksOfSites> links;
    for (const WanGroup &group : wan.groups) {
        const std::int64_t count = std::min(group.sites, sites);
        if (count > 0)
            links.push_back({link_of(group), count});
        sites -= count;
    }
    if (sites > 0)
        links.push_back({link_of(wan), sites});
    return links;
}

LinkClock::LinkClock(const RateOverTime &rate, double bits_per_second, const Draws &draws,
                     std::shared_ptr<const LogNormalDraws> variation)
    : m_over_time(rate)
    , m_rate(bits_per_second)
    , m_draws(draws)
    , m_constant(rate.is_constant())
    , m_variation(std::move(variation))
    , m_mean_share(rate.has_trace() ? mean_of(*rate.trace) : 1) { }

/// Autoregressive process of ln(rate). Unused intervals are skipped in one jump, which gives the same distribution as
/// stepping through them.
double LinkClock::drawn_share(std::uint64_t interval) {
    if (m_variation == nullptr || (m_drawn && interval == m_interval))
        return m_share;
    if (m_over_time.correlation > 0) {
        const double kept = m_drawn ? std::pow(m_over_time.correlation, static_cast<double>(interval - m_interval)) : 0;
        m_state = kept * m_state + std::sqrt(1 - kept * kept) * m_draws.normal(interval);
        m_share = m_variation->factor().of(m_state);
    } else {
        m_share = m_variation->of(m_draws, interval);
    }
    m_interval = interval;
    m_drawn = true;
    return m_share;
}

double LinkClock::trace_share(double time, double &until) const {
    if (!m_over_time.has_trace())
        return 1;
    const std::vector<RatePoint> &trace = *m_over_time.trace;
    const double period = trace.back().seconds;
    const double cycle = std::floor(time / period) * period;
    // Because of rounding, `cycle` can be slightly later than `time`; the search then gives the first point.
    const auto next = std::upper_bound(trace.begin() + 1, trace.end() - 1, time - cycle,
                                       [](double t, const RatePoint &point) { return t < point.seconds; });
    until = std::min(until, cycle + next->seconds);
    return std::prev(next)->share;
}

double LinkClock::varying_end(double start, double bits, std::uint64_t transfer) {
    constexpr int max_changes = 4096;
    constexpr double last_place = 9e15; // largest interval index that a double represents exactly
    const double interval = m_over_time.interval_seconds;
    const bool over_time = interval > 0 && m_variation != nullptr;
    std::uint64_t place = over_time ? static_cast<std::uint64_t>(std::min(start / interval, last_place)) : transfer;
    double place_end = over_time ? static_cast<double>(place + 1) * interval : std::numeric_limits<double>::infinity();
    double time = start;
    for (int change = 0; change < max_changes; ++change) {
        double until = place_end;
        const double rate = m_rate * drawn_share(place) * trace_share(time, until);
        const double end = time + bits / rate;
        if (end <= until || until <= time)
            return end;
        bits -= (until - time) * rate;
        time = until;
        if (until == place_end)
            place_end = static_cast<double>(++place + 1) * interval;
    }
    return time + bits / (m_rate * m_mean_share);
}

} // namespace meshwright
