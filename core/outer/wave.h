// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/fleet.h"
#include "outer/shared_capacity.h"

#include <optional>
#include <vector>

namespace meshwright {

/// Simulates the fragments in sending order, each one for all sites before the next one. This is exact as long as sites
/// interact only at the averaging of a fragment: the links of a site carry its fragments in that order, so no event of
/// a later fragment affects an earlier one. Shared aggregators serve fragments in that order too, with fair rates for
/// the sites of a fragment.
class Wave {
public:
    Wave(Fleet &fleet, OuterTimeline *timeline, const SimulationSize &size);
    OuterRun run();
    /// Simulates a run from its first round, for follow_run().
    OuterCourse course(std::int64_t rounds, std::int64_t stretches, const std::stop_token &stop);

private:
    void round(std::int64_t round);
    void release(std::int64_t round, std::int64_t fragment);
    void contribute(std::size_t m, std::int64_t round, std::int64_t fragment);
    void upload(std::int64_t round, std::int64_t fragment);
    void arrive(Member &member, const Flow &sent, std::uint64_t transfer, Contribution &contribution);
    void bring_back(std::int64_t round, std::int64_t fragment, double others);
    void by_star(std::int64_t round, std::int64_t fragment);
    void send_back(double averaged, std::int64_t round, std::int64_t fragment);
    void together(std::int64_t round, std::int64_t fragment);
    void in_pairs(std::int64_t round, std::int64_t fragment);
    void deliver(std::size_t sender, std::int64_t round, std::int64_t fragment, double arrival);
    Flow download(Member &member, double from, double bits, std::uint64_t transfer) const;
    double receive(std::size_t sender, const Flow &flow, std::int64_t round, std::int64_t fragment);
    bool advance(std::size_t m, double step);
    void resume(std::size_t m, double step);
    void catch_up(std::int64_t round);
    void reach_all(std::int64_t round, std::int64_t fragment);
    std::vector<double> state() const;
    void watch(std::int64_t from, std::int64_t to);
    void unwatch();

    Fleet &m_fleet;
    Aggregator m_aggregator;
    OuterTimeline *m_timeline;
    std::int64_t m_watched_rounds;
    bool m_may_repeat; ///< whether a round that ends in the state in which it began may represent all later rounds
    bool m_watching = false;
    std::vector<Contribution> m_contributions;
    std::vector<std::size_t> m_senders;
    std::vector<double> m_ready; ///< time in seconds at which each update is quantized and ready to send
    std::vector<Flow> m_flows;
    std::vector<double> m_received;
    std::optional<SharedCapacity> m_ingress;
    std::optional<SharedCapacity> m_egress;
    double m_averaging_free = 0;
};

} // namespace meshwright
