// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"
#include "outer/randomness.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace meshwright {

/// TCP throughput limit of a link in bits/s, from loss and round-trip time with segments of 1,460 bytes: the faster of
/// Reno (Mathis et al. 1997) and CUBIC (RFC 8312, equation 6), multiplied by the number of streams. 1e30 (unlimited) if
/// the loss or the round-trip time is 0.
double tcp_limit_bits_per_second(double loss_probability, std::int64_t streams, double round_trip_seconds);

/// A link's rate over time, in fractions of its maximum. The fields have the same meaning as in Wan.
struct RateOverTime {
    double variation = 0;
    double interval_seconds = 0;
    double correlation = 0;
    const std::vector<RatePoint> *trace = nullptr; ///< rate trace in the plan; null or empty for a constant rate
    bool is_constant() const { return variation <= 0 && !has_trace(); }
    bool has_trace() const { return trace != nullptr && !trace->empty(); }
    /// Upper limit of the rate factor: the maximum of the trace, times the maximum random factor (a normal draw from 53
    /// bits is within 8.3 standard deviations).
    double highest_share() const;
};

/// Maximum rates of one site's link, including TCP's limit.
struct SiteLink {
    double uplink_bits_per_second = 0;
    double downlink_bits_per_second = 0;
    double one_way_seconds = 0;
    bool full_duplex = true;
    double jitter_seconds = 0;
    RateOverTime rate;
};
/// The link of a site, according to its group. @pre `wan` outlives it
SiteLink site_link(const Wan &wan, std::int64_t site);

/// Consecutive sites with the same kind of link.
struct LinksOfSites {
    SiteLink link;
    std::int64_t sites = 0;
};
/// Links of the first `sites` sites, grouped into consecutive sites with the same kind of link. @pre `wan` outlives
/// them
std::vector<LinksOfSites> links_of_sites(const Wan &wan, std::int64_t sites);

/// One direction of one site's link over time: constant, following a trace, or random. Transfers are sequential.
class LinkClock {
public:
    /// @param bits_per_second maximum rate
    /// @param variation random variation of the rate; null if there is none
    LinkClock(const RateOverTime &rate, double bits_per_second, const Draws &draws,
              std::shared_ptr<const LogNormalDraws> variation);

    /// End time of a transfer that starts at `start`. Start times must not decrease. After 4,096 rate changes within a
    /// transfer, its remaining bits are sent at the mean rate.
    double end_of(double start, double bits, std::uint64_t transfer) {
        return m_constant ? start + bits / m_rate : varying_end(start, bits, transfer);
    }
    double free = 0; ///< end of the last transfer in seconds

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
    std::uint64_t m_interval = 0; ///< index of the interval that m_state describes
    double m_state = 0; ///< ln(rate) in that interval, in standard deviations, if rates are correlated
    double m_share = 1; ///< rate factor in that interval
    bool m_drawn = false;
};

} // namespace meshwright
