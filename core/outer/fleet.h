// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/aggregator.h"
#include "outer/link.h"
#include "outer/randomness.h"
#include "outer/simulation.h"
#include "outer/site.h"
#include "outer/traffic.h"
#include "plan/plan.h"

#include <cstdint>
#include <vector>

namespace meshwright {

struct Member {
    Site site;
    LinkClock up;
    LinkClock down; ///< downlink; on a half-duplex link, both directions wait for `up.free`
    SiteLink link;
    Draws up_delay;
    Draws down_delay;
    double inner_steps;
    double up_busy = 0; ///< busy time of the uplink in seconds, in total
    double down_busy = 0;

    double jitter(const Draws &delay, std::uint64_t transfer) const {
        return link.jitter_seconds > 0 ? delay.exponential(transfer, link.jitter_seconds) : 0;
    }
};

/// State that Wave and Exchange share: sites, links, traffic and the measurement.
class Fleet {
public:
    Fleet(const Plan &of, double synchronised, double step, std::uint64_t seed, const SimulationSize &size);

    /// Step after which a site sends a fragment, counted in the site's own steps.
    double step_of(const Member &member, std::int64_t round, std::int64_t fragment) const;
    std::uint64_t transfer_of(std::int64_t round, std::int64_t fragment) const;

    double quantise_seconds(std::int64_t fragment) const;
    double average_seconds(std::int64_t fragment) const;

    /// begin() starts a measurement, and end() returns its results. Both are called between two rounds, when all
    /// available sites have reached the end of the same round.
    void begin();
    OuterRun end(const Aggregator &aggregator, double measured, double seconds) const;

    const Plan &plan;
    const Outer &outer;
    Traffic traffic;
    double parameters;
    double step_seconds;
    Randomness random;
    std::int64_t represented; ///< number of sites that one member represents
    std::int64_t settling_rounds;
    std::int64_t rounds;
    bool settled = true;
    std::vector<Member> members;

private:
    /// A site's clock and counters at one time. An absent site's clock advances with the other sites.
    struct Moment {
        double clock = 0;
        SiteCounts counts;
    };
    std::vector<Moment> moments() const;
    SiteLink shared_link(SiteLink link) const;
    void add_members(const std::vector<LinksOfSites> &links);

    std::vector<Moment> m_before;
};

} // namespace meshwright
