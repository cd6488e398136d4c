// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/fleet.h"

#include "formulas/outer_loop.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace meshwright {

namespace {

/// Aggregator capacity divided by the total rate of all links; at most 1.
double share_of_aggregators(const Plan &plan, const std::optional<double> &capacity, double wanted) {
    if (!capacity)
        return 1;
    return std::min(1.0, *capacity * static_cast<double>(plan.aggregation.aggregators) / wanted);
}

struct LinkSums {
    double up = 0;
    double down = 0;
    double highest_share = 0; ///< maximum factor on a link's rate, from the link with the largest variation
};

LinkSums sums_of_links(const std::vector<LinksOfSites> &links) {
    LinkSums sums;
    for (const auto &[link, sites] : links) {
        sums.up += static_cast<double>(sites) * link.uplink_bits_per_second;
        sums.down += static_cast<double>(sites) * link.downlink_bits_per_second;
        sums.highest_share = std::max(sums.highest_share, link.rate.highest_share());
    }
    return sums;
}

/// Step-time factors of the first `sites` sites, relative to a nominal site; 1 without variation.
std::vector<double> speeds_of(const Faults &faults, const Randomness &random, std::int64_t sites) {
    std::vector<double> speeds(static_cast<std::size_t>(sites), 1);
    const LogNormal variation(faults.site_speed_variation);
    for (std::size_t m = 0; variation.varies() && m < speeds.size(); ++m)
        speeds[m] = variation.of(random.draws(Randomness::Use::speed, m).normal(0));
    return speeds;
}

/// One table of random draws for each standard deviation.
class Variations {
public:
    std::shared_ptr<const LogNormalDraws> of(double variation) {
        const LogNormal factor(variation);
        if (!factor.varies())
            return nullptr;
        std::shared_ptr<const LogNormalDraws> &draws = m_draws[variation];
        if (draws == nullptr)
            draws = std::make_shared<const LogNormalDraws>(factor);
        return draws;
    }

private:
    std::map<double, std::shared_ptr<const LogNormalDraws>> m_draws;
};

/// Number of rounds until queues stop growing. An overloaded link falls behind until the overlap is used up and sites
/// begin to wait.
double rounds_to_settle(const Plan &plan, const SiteLink &link, const Traffic &traffic, double inner_seconds) {
    const double up_seconds = traffic.up_bits / link.uplink_bits_per_second;
    const double down_seconds = traffic.down_bits / link.downlink_bits_per_second;
    const double busy = link.full_duplex ? std::max(up_seconds, down_seconds) : up_seconds + down_seconds;
    const double overlap = static_cast<double>(plan.outer.overlap_steps) / static_cast<double>(plan.outer.inner_steps);
    const double excess = busy / inner_seconds - 1;
    const double falling_behind = excess > 0 && plan.outer.late_updates == LateUpdates::wait ? overlap / excess : 0;
    return 3 + 2 * overlap + falling_behind;
}

/// Minimum number of measured rounds; fewer suffice if each round averages many updates.
double min_rounds(double updates_of_round) {
    constexpr double usual = 20, least = 6, enough_updates = 2e6;
    return std::clamp(enough_updates / updates_of_round, least, usual);
}

} // namespace

bool is_saturable(const Plan &plan) {
    if (plan.aggregation.topology != Topology::star)
        return false;
    const LinkSums sums = sums_of_links(links_of_sites(*plan.cluster.wan, plan.cluster.sites));
    const auto binds = [&](const std::optional<double> &capacity, double wanted) {
        return share_of_aggregators(plan, capacity, wanted * sums.highest_share) < 1;
    };
    return binds(plan.aggregation.ingress_bits_per_second, sums.up)
        || binds(plan.aggregation.egress_bits_per_second, sums.down);
}

Fleet::Fleet(const Plan &of, double synchronised, double step, std::uint64_t seed, const SimulationSize &size)
    : plan(of)
    , outer(of.outer)
    , traffic(traffic_of(of, synchronised))
    , parameters(synchronised)
    , step_seconds(step)
    , random(seed) {
    traffic.up_bits *= size.up_factor;
    traffic.down_bits *= size.down_factor;
    traffic.down_bits_to_latecomer *= size.down_factor;
    const bool one_for_all = are_alike(plan) && !size.every_site;
    const std::int64_t followed = one_for_all ? 1 : plan.cluster.sites;
    represented = plan.cluster.sites / followed;
    std::vector<LinksOfSites> links = links_of_sites(*plan.cluster.wan, plan.cluster.sites);
    if (one_for_all)
        links = {{shared_link(links.front().link), 1}};
    add_members(links);
    double needed = 0;
    for (const auto &[link, sites] : links)
        needed = std::max(needed, rounds_to_settle(plan, link, traffic, static_cast<double>(outer.inner_steps) * step));
    const double a_round = static_cast<double>(followed) * static_cast<double>(outer.fragments);
    const double wanted_updates = is_deterministic(plan) ? 2e6 : 5e4;
    rounds = size.rounds > 0
        ? size.rounds
        : static_cast<std::int64_t>(std::clamp(wanted_updates / a_round, min_rounds(a_round), 100.0));
    const double affordable = std::clamp(wanted_updates / a_round, 3.0, 20'000.0);
    settling_rounds = size.settling_rounds > 0 ? size.settling_rounds
                                               : static_cast<std::int64_t>(std::ceil(std::min(needed, affordable)));
    settled = static_cast<double>(settling_rounds) >= std::floor(needed);
}

/// The link of a site if all sites use the aggregators simultaneously, which then limit every link to the same fraction
/// of its rate.
SiteLink Fleet::shared_link(SiteLink link) const {
    if (plan.aggregation.topology != Topology::star)
        return link;
    const auto sites = static_cast<double>(plan.cluster.sites);
    link.uplink_bits_per_second *=
        share_of_aggregators(plan, plan.aggregation.ingress_bits_per_second, sites * link.uplink_bits_per_second);
    link.downlink_bits_per_second *=
        share_of_aggregators(plan, plan.aggregation.egress_bits_per_second, sites * link.downlink_bits_per_second);
    return link;
}

void Fleet::add_members(const std::vector<LinksOfSites> &links) {
    const Faults &faults = plan.faults;
    const std::int64_t followed = plan.cluster.sites / represented;
    const std::vector<double> speeds = speeds_of(faults, random, followed);
    const double fastest = *std::min_element(speeds.begin(), speeds.end());
    Variations variations;
    const auto step_variation = variations.of(faults.step_variation / std::sqrt(Site::steps_of_a_draw(plan)));
    members.reserve(static_cast<std::size_t>(followed));
    for (const auto &[link, sites] : links) {
        const auto rate_variation = variations.of(link.rate.variation);
        const double rejoin = faults.rejoin_bytes_per_parameter > 0
            ? formula::rejoin_seconds(parameters, faults.rejoin_bytes_per_parameter, link.downlink_bits_per_second)
            : 0;
        for (std::int64_t i = 0; i < sites; ++i) {
            const std::size_t m = members.size();
            double steps = static_cast<double>(outer.inner_steps);
            if (outer.steps_by_speed)
                steps = std::max(1.0, std::floor(steps * fastest / speeds[m] + 1e-9));
            members.push_back({.site = Site(plan, random, static_cast<std::int64_t>(m), step_seconds * speeds[m],
                                            rejoin, step_variation),
                               .up = LinkClock(link.rate, link.uplink_bits_per_second,
                                               random.draws(Randomness::Use::uplink, m), rate_variation),
                               .down = LinkClock(link.rate, link.downlink_bits_per_second,
                                                 random.draws(Randomness::Use::downlink, m), rate_variation),
                               .link = link,
                               .up_delay = random.draws(Randomness::Use::up_delay, m),
                               .down_delay = random.draws(Randomness::Use::down_delay, m),
                               .inner_steps = steps});
        }
    }
}

double simulated_updates(const Plan &plan, const SimulationSize &size) {
    const double sites = are_alike(plan) && !size.every_site ? 1 : static_cast<double>(plan.cluster.sites);
    const double a_round = sites * static_cast<double>(plan.outer.fragments);
    const double rounds = size.rounds > 0 ? static_cast<double>(size.rounds) : min_rounds(a_round);
    return a_round * (rounds + 3);
}

double Fleet::step_of(const Member &member, std::int64_t round, std::int64_t fragment) const {
    const double within = static_cast<double>(fragment) * member.inner_steps / static_cast<double>(outer.fragments);
    return static_cast<double>(round) * member.inner_steps + static_cast<double>(static_cast<std::int64_t>(within));
}

std::uint64_t Fleet::transfer_of(std::int64_t round, std::int64_t fragment) const {
    return static_cast<std::uint64_t>(round) * static_cast<std::uint64_t>(outer.fragments)
        + static_cast<std::uint64_t>(fragment);
}

double Fleet::quantise_seconds(std::int64_t fragment) const {
    const auto &rate = plan.aggregation.quantise_parameters_per_second;
    return rate ? traffic.of_round(parameters, fragment) / *rate : 0;
}

double Fleet::average_seconds(std::int64_t fragment) const {
    const auto &rate = plan.aggregation.average_parameters_per_second;
    return rate ? traffic.of_round(parameters, fragment) / (*rate * static_cast<double>(plan.aggregation.aggregators))
                : 0;
}

std::vector<Fleet::Moment> Fleet::moments() const {
    double present = 0, earliest_back = never;
    for (const Member &member : members) {
        if (member.site.is_away())
            earliest_back = std::min(earliest_back, member.site.back());
        else
            present = std::max(present, member.site.clock());
    }
    const double now = present > 0 || earliest_back == never ? present : earliest_back;
    std::vector<Moment> all;
    all.reserve(members.size());
    for (const Member &member : members) {
        Moment moment{.clock = member.site.clock(), .counts = member.site.counts()};
        const double until = std::min(now, member.site.back());
        if (member.site.is_away() && until > moment.clock) {
            moment.counts.away += until - moment.clock;
            moment.clock = until;
        }
        all.push_back(moment);
    }
    return all;
}

void Fleet::begin() {
    m_before = moments();
    for (Member &member : members)
        member.up_busy = member.down_busy = 0;
}

OuterRun Fleet::end(const Aggregator &aggregator, double measured, double seconds) const {
    OuterRun run{.rounds = measured, .settled = settled};
    const auto followed = static_cast<double>(members.size());
    const std::vector<Moment> now = moments();
    double speed = 0, staleness = 0, applied = 0, full = 0;
    for (std::size_t m = 0; m < members.size(); ++m) {
        const Member &member = members[m];
        const SiteCounts &after = now[m].counts;
        const SiteCounts &before = m_before[m].counts;
        const double wall = now[m].clock - m_before[m].clock;
        const double computed = after.computed - before.computed;
        run.utilisation += (wall > 0 ? computed / wall : 1) / followed;
        run.inner_seconds += computed / measured / followed;
        run.stall_seconds += (after.stalled - before.stalled) / measured / followed;
        run.away_seconds += (after.away - before.away) / measured / followed;
        run.uplink_load += (wall > 0 ? member.up_busy / wall : 0) / followed;
        run.downlink_load += (wall > 0 ? member.down_busy / wall : 0) / followed;
        speed += wall > 0 ? measured / wall : 0;
        staleness += after.staleness_steps - before.staleness_steps;
        applied += after.applied - before.applied;
        run.departures += static_cast<double>(after.departures - before.departures) * static_cast<double>(represented);
        full += seconds / member.site.step_seconds() / member.inner_steps;
    }
    run.utilisation -= 1; // the sum above began at the default of 1
    run.round_seconds = speed > 0 ? followed / speed : 0;
    run.staleness_steps = applied > 0 ? staleness / applied : 0;
    run.up_bytes = traffic.up_bits / 8;
    run.down_bytes = traffic.down_bits / 8;
    run.updates = aggregator.counts();
    run.late_rounds = aggregator.late_rounds();
    const double accepted = run.updates.on_time + run.updates.late_weight;
    run.goodput = full > 0 ? accepted / static_cast<double>(outer.fragments) / full : 1;
    const auto all = static_cast<double>(represented);
    for (double *count : {&run.updates.sent, &run.updates.on_time, &run.updates.late, &run.updates.dropped,
                          &run.updates.voided, &run.updates.lost, &run.updates.in_flight, &run.updates.late_weight})
        *count *= all;
    return run;
}

} // namespace meshwright
