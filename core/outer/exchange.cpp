// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/exchange.h"

#include <algorithm>

namespace meshwright {

namespace {

/// Time from the moment when the first gradient bucket is ready until the end of the step.
double head_start(const Fleet &fleet, const Member &member) {
    if (fleet.outer.release == Release::step)
        return 0;
    return 2 * member.site.step_seconds() / 3 * (1 - 1 / backward_buckets);
}

Transfer begun_at(LinkClock &link, const Fleet &fleet, double earliest, double ready, double bits,
                  std::uint64_t transfer) {
    Transfer done{.start = earliest, .end = link.end_of(earliest, bits, transfer)};
    if (fleet.outer.release == Release::backward)
        done.end = std::max(done.end, ready + (done.end - done.start) / backward_buckets);
    return done;
}

} // namespace

Transfer transfer_over(LinkClock &link, const Fleet &fleet, const Member &member, double ready, double bits,
                       std::uint64_t transfer) {
    const double earliest = std::max(ready - head_start(fleet, member), link.free);
    const Transfer done = begun_at(link, fleet, earliest, ready, bits, transfer);
    link.free = done.end;
    return done;
}

Exchange::Exchange(Fleet &fleet, std::int64_t round, std::int64_t fragment)
    : m_fleet(fleet)
    , m_fragment(fragment)
    , m_transfer(fleet.transfer_of(round, fragment)) { }

double Exchange::among(const std::vector<std::size_t> &senders, const std::vector<std::size_t> &taking_part,
                       double ready, OuterTimeline *timeline, const std::vector<Contribution> &contributions) const {
    double start = 0, latency = 0;
    for (const std::size_t i : taking_part) {
        const Member &member = m_fleet.members[senders[i]];
        start = std::max({start, ready - head_start(m_fleet, member), member.up.free, member.down.free});
        latency = std::max(
            latency, m_fleet.traffic.hops * member.link.one_way_seconds + member.jitter(member.up_delay, m_transfer));
    }
    const double bits = m_fleet.traffic.of_round(m_fleet.traffic.up_bits, m_fragment);
    double end = start;
    for (const std::size_t i : taking_part) {
        Member &member = m_fleet.members[senders[i]];
        const Transfer up = begun_at(member.up, m_fleet, start, ready, bits, m_transfer);
        const Transfer down =
            begun_at(member.down, m_fleet, member.link.full_duplex ? start : up.end, ready, bits, m_transfer);
        member.up_busy += up.end - up.start;
        member.down_busy += down.end - down.start;
        end = std::max({end, up.end, down.end});
    }
    const double there = end + latency + m_fleet.average_seconds(m_fragment);
    for (const std::size_t i : taking_part) {
        Member &member = m_fleet.members[senders[i]];
        member.up.free = member.down.free = end;
        if (timeline == nullptr)
            continue;
        Journey &journey = timeline->journeys[contributions[i].journey];
        journey.sent_start = journey.returned_start = start;
        journey.sent_end = journey.returned_end = end;
        journey.arrived = journey.received = there;
    }
    return there;
}

} // namespace meshwright
