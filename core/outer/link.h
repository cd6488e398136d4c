// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"
#include "outer/randomness.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace meshwright {

/// TCP's ceiling on a link from loss and round trip, for segments of 1,460 bytes, in bits/s: the better of Reno (Mathis
/// and others 1997) and CUBIC (RFC 8312, equation 6), over so many streams. Without loss or without distance there is
/// none: 1e30.
double tcp_limit_bits_per_second(double loss_probability, std::int64_t streams, double round_trip_seconds);

/// How a link's rate goes over time, as shares of its best. Fields as in Wan.
struct RateOverTime {
    double variation = 0;
    double interval_seconds = 0;
    double correlation = 0;
    const std::vector<RatePoint> *trace = nullptr; ///< of the plan; null or empty: constant
    bool is_constant() const { return variation <= 0 && !has_trace(); }
    bool has_trace() const { return trace != nullptr && !trace->empty(); }
    /// What no rate is above: of a normal draw of 53 bits, which lies within 8.3 deviations, and of the trace.
    double highest_share() const;
};

/// What one site's link can do at best, TCP's limit included.
struct SiteLink {
    double uplink_bits_per_second = 0;
    double downlink_bits_per_second = 0;
    double one_way_seconds = 0;
    bool full_duplex = true;
    double jitter_seconds = 0;
    RateOverTime rate;
};
/// The link of a site, by its group. @pre `wan` outlives it
SiteLink site_link(const Wan &wan, std::int64_t site);

/// Sites that follow each other and have links of one kind.
struct LinksOfSites {
    SiteLink link;
    std::int64_t sites = 0;
};
/// All kinds of links of so many sites, in the sites' order. @pre `wan` outlives them
std::vector<LinksOfSites> links_of_sites(const Wan &wan, std::int64_t sites);

/// One direction of one site's link over time: constant, along a trace, or random. Transfers go one after the other.
class LinkClock {
public:
    /// @param bits_per_second  at best
    /// @param variation        of the rate; null: it does not vary at random
    LinkClock(const RateOverTime &rate, double bits_per_second, const Draws &draws,
              std::shared_ptr<const LogNormalDraws> variation);

    /// When a transfer that starts at `start` ends; starts may only grow. Beyond 4,096 changes of rate in one transfer
    /// the rest goes at the mean rate.
    double end_of(double start, double bits, std::uint64_t transfer) {
        return m_constant ? start + bits / m_rate : varying_end(start, bits, transfer);
    }
    double free = 0; ///< s, end of the last transfer

private:
    double varying_end(double start, double bits, std::uint64_t transfer);
    double drawn_share(std::uint64_t interval);
    double trace_share(double time, double &until) const;

    RateOverTime m_over_time;
    double m_rate;
    Draws m_draws;
    bool m_constant;
    std::shared_ptr<const LogNormalDraws> m_variation;
    double m_mean_share;
    std::uint64_t m_interval = 0; ///< of m_state
    double m_state = 0; ///< ln(rate) there, in deviations, where it is correlated
    double m_share = 1; ///< the rate there
    bool m_drawn = false;
};

} // namespace meshwright
