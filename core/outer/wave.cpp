// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/wave.h"

#include "input/stop_scope.h"
#include "outer/exchange.h"
#include "threads/for_each_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace meshwright {

namespace {

/// Tolerance, in steps, within which two rounds must agree to count as repeating.
constexpr double alike_steps = 1e-9;

/// Sites interact only where a fragment is averaged, so several threads can process many sites in parallel.
template <typename What>
void for_each_of(std::size_t count, const What &what) {
    constexpr std::size_t worth_sharing = 1024, together = 256;
    if (count < worth_sharing) {
        for (std::size_t i = 0; i < count; ++i)
            what(i);
        return;
    }
    for_each_index(count, together, what);
}

bool agree(const std::vector<double> &a, const std::vector<double> &b, double tolerance) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [tolerance](double x, double y) { return std::abs(x - y) <= tolerance; });
}

} // namespace

Wave::Wave(Fleet &fleet, OuterTimeline *timeline, const SimulationSize &size)
    : m_fleet(fleet)
    , m_aggregator(fleet.plan, fleet.represented > 1 ? 1 : fleet.outer.quorum, fleet.step_seconds)
    , m_timeline(timeline)
    , m_watched_rounds(timeline == nullptr ? 0 : size.watched_rounds)
    , m_may_repeat(timeline == nullptr && size.rounds == 0 && are_alike(fleet.plan) && fleet.members.size() == 1
                   && fleet.members.front().link.rate.is_constant()) {
    const Aggregation &aggregation = fleet.plan.aggregation;
    const auto aggregators = static_cast<double>(aggregation.aggregators);
    if (fleet.represented > 1 || !is_saturable(fleet.plan))
        return;
    if (aggregation.ingress_bits_per_second)
        m_ingress.emplace(*aggregation.ingress_bits_per_second * aggregators);
    if (aggregation.egress_bits_per_second)
        m_egress.emplace(*aggregation.egress_bits_per_second * aggregators);
}

OuterRun Wave::run() {
    std::int64_t index = 0;
    auto measured = static_cast<double>(m_fleet.rounds);
    std::vector<double> before;
    while (index < m_fleet.settling_rounds) {
        round(index++);
        if (!m_may_repeat)
            continue;
        catch_up(index);
        std::vector<double> after = state();
        if (index > 2 && agree(before, after, alike_steps * m_fleet.step_seconds)) {
            measured = 1;
            m_fleet.settled = true;
            break;
        }
        before = std::move(after);
    }
    catch_up(index);
    m_fleet.begin();
    m_aggregator.forget_counts();
    watch(index, index + m_watched_rounds);
    const double start = m_aggregator.last_close();
    const std::int64_t first = index;
    while (static_cast<double>(index - first) < measured) {
        if (m_timeline != nullptr && index == first + m_watched_rounds)
            unwatch();
        round(index++);
    }
    catch_up(index);
    unwatch();
    m_aggregator.finish();
    return m_fleet.end(m_aggregator, measured, m_aggregator.last_close() - start);
}

OuterCourse Wave::course(std::int64_t rounds, std::int64_t stretches, const std::stop_token &stop) {
    OuterCourse course;
    std::vector<double> before;
    std::int64_t index = 0;
    for (std::int64_t stretch = 0; stretch < stretches && !stop.stop_requested(); ++stretch) {
        const std::int64_t first = index;
        const std::int64_t end = rounds * (stretch + 1) / stretches;
        if (end == first)
            continue; // an interval may be empty if there are fewer rounds than intervals
        m_fleet.begin();
        m_aggregator.forget_counts();
        const double start = m_aggregator.last_close();
        while (index < end && !stop.stop_requested())
            round(index++);
        catch_up(index);
        const auto followed = static_cast<double>(index - first);
        course.stretches.push_back(m_fleet.end(m_aggregator, followed, m_aggregator.last_close() - start));
        course.rounds += followed;
        if (!m_may_repeat)
            continue;
        std::vector<double> after = state();
        if (stretch > 1 && agree(before, after, alike_steps * m_fleet.step_seconds))
            break;
        before = std::move(after);
    }
    // Once rounds repeat, the results of the last interval hold for the rest of the run.
    while (m_may_repeat && !course.stretches.empty() && !stop.stop_requested() && index < rounds) {
        const std::int64_t more = std::min(rounds - index, std::max<std::int64_t>(1, rounds / stretches));
        course.stretches.push_back(course.stretches.back());
        course.stretches.back().rounds = static_cast<double>(more);
        course.rounds += static_cast<double>(more);
        index += more;
    }
    return course;
}

void Wave::watch(std::int64_t from, std::int64_t to) {
    if (m_timeline == nullptr || to <= from)
        return;
    m_timeline->sites = static_cast<std::int64_t>(m_fleet.members.size());
    m_timeline->first_round = from;
    m_timeline->rounds = to - from;
    m_watching = true;
    m_aggregator.watch(m_timeline);
    for (Member &member : m_fleet.members)
        member.site.watch(m_timeline);
}

void Wave::unwatch() {
    m_watching = false;
    m_aggregator.watch(nullptr);
    for (Member &member : m_fleet.members)
        member.site.watch(nullptr);
}

std::vector<double> Wave::state() const {
    const Member &member = m_fleet.members.front();
    std::vector<double> ahead{std::max(0.0, member.up.free - member.site.clock()),
                              std::max(0.0, member.down.free - member.site.clock())};
    member.site.append_state(ahead);
    return ahead;
}

void Wave::round(std::int64_t round) {
    for (std::int64_t fragment = 0; fragment < m_fleet.outer.fragments; ++fragment)
        release(round, fragment);
}

/// Advances every available site to the end of the previous round.
void Wave::catch_up(std::int64_t round) {
    reach_all(round, 0);
}

/// Advances every available site to the step where it releases a fragment.
void Wave::reach_all(std::int64_t round, std::int64_t fragment) {
    const auto reach = [&](std::size_t m) { advance(m, m_fleet.step_of(m_fleet.members[m], round, fragment)); };
    if (!m_watching)
        return for_each_of(m_fleet.members.size(), reach);
    for (std::size_t m = 0; m < m_fleet.members.size(); ++m) // sequentially, because all sites record into one list
        reach(m);
}

bool Wave::advance(std::size_t m, double step) {
    Site &site = m_fleet.members[m].site;
    return !site.is_away() && site.advance_to(step) == Site::Reached::step;
}

void Wave::resume(std::size_t m, double step) {
    Member &member = m_fleet.members[m];
    const double back = member.site.back();
    member.site.resume(step);
    member.up.free = std::max(back, member.up.free);
    member.down.free = back;
}

void Wave::release(std::int64_t round, std::int64_t fragment) {
    end_if_stopped();
    m_contributions.clear();
    m_senders.clear();
    m_ready.clear();
    double earliest = never, earliest_back = never;
    reach_all(round, fragment);
    for (std::size_t m = 0; m < m_fleet.members.size(); ++m) {
        const Member &member = m_fleet.members[m];
        if (!member.site.is_away()) {
            earliest = std::min(earliest, member.site.clock());
            contribute(m, round, fragment);
        } else {
            earliest_back = std::min(earliest_back, member.site.back());
        }
    }
    if (earliest_back != never)
        bring_back(round, fragment, earliest == never ? earliest_back : earliest);
    switch (m_fleet.plan.aggregation.topology) {
    case Topology::star:
        return by_star(round, fragment);
    case Topology::gossip:
        return in_pairs(round, fragment);
    default:
        return together(round, fragment);
    }
}

/// A site that returns before the other sites release this fragment also contributes to it. It resumes at a step from
/// which it reaches the release at about the same time.
void Wave::bring_back(std::int64_t round, std::int64_t fragment, double others) {
    for (std::size_t m = 0; m < m_fleet.members.size(); ++m) {
        Member &member = m_fleet.members[m];
        if (!member.site.is_away() || member.site.back() > others)
            continue;
        const double step = m_fleet.step_of(member, round, fragment);
        const double before = fragment > 0 ? m_fleet.step_of(member, round, fragment - 1)
            : round > 0                    ? m_fleet.step_of(member, round - 1, m_fleet.outer.fragments - 1)
                                           : step;
        const double steps = std::floor((others - member.site.back()) / member.site.step_seconds());
        resume(m, step - std::clamp(steps, std::min(1.0, step - before), step - before));
        if (advance(m, step))
            contribute(m, round, fragment);
    }
}

void Wave::contribute(std::size_t m, std::int64_t round, std::int64_t fragment) {
    Member &member = m_fleet.members[m];
    Contribution contribution;
    if (m_watching) {
        contribution.journey = m_timeline->journeys.size();
        m_timeline->journeys.push_back(
            {.site = member.site.number(), .round = round, .fragment = fragment, .released = member.site.clock()});
    }
    const double ready = member.site.clock() + m_fleet.quantise_seconds(fragment);
    contribution.arrival = ready;
    m_contributions.push_back(contribution);
    m_senders.push_back(m);
    m_ready.push_back(ready);
    m_aggregator.sent(1);
}

/// Calculates the upload of a fragment's updates over the sites' own links, then through the shared aggregators.
void Wave::upload(std::int64_t round, std::int64_t fragment) {
    const std::uint64_t transfer = m_fleet.transfer_of(round, fragment);
    const double bits = m_fleet.traffic.of_round(m_fleet.traffic.up_bits, fragment);
    m_flows.resize(m_senders.size());
    for_each_of(m_senders.size(), [&](std::size_t i) {
        Member &member = m_fleet.members[m_senders[i]];
        const Transfer sent = transfer_over(member.up, m_fleet, member, m_ready[i], bits, transfer);
        m_flows[i] = {sent.start, bits, bits / std::max(sent.end - sent.start, 1e-300), sent.end};
    });
    if (m_ingress)
        m_ingress->share(m_flows);
    for_each_of(m_senders.size(), [&](std::size_t i) {
        arrive(m_fleet.members[m_senders[i]], m_flows[i], transfer, m_contributions[i]);
    });
}

void Wave::arrive(Member &member, const Flow &sent, std::uint64_t transfer, Contribution &contribution) {
    double end = sent.end;
    member.up.free = end;
    member.up_busy += sent.end - sent.start;
    if (end > member.site.departure()) {
        contribution.given_up = member.site.departure();
        const double left = end - std::max(sent.start, member.site.departure());
        end = m_fleet.plan.faults.in_flight_lost ? never : member.site.back() + left;
        member.up.free = end == never ? std::max(sent.start, member.site.departure()) : end;
    }
    if (end != never)
        contribution.arrival = end + member.link.one_way_seconds + member.jitter(member.up_delay, transfer);
    if (contribution.journey == unwatched)
        return;
    Journey &journey = m_timeline->journeys[contribution.journey];
    journey.sent_start = sent.start;
    journey.sent_end = end;
    journey.arrived = contribution.arrival;
}

void Wave::by_star(std::int64_t round, std::int64_t fragment) {
    upload(round, fragment);
    const Gathering gathering = m_aggregator.close(round, fragment, m_contributions);
    if (gathering.voided)
        return;
    const double averaging = m_fleet.average_seconds(fragment);
    const double all_of_them =
        averaging * static_cast<double>(m_contributions.size()) * static_cast<double>(m_fleet.represented);
    m_averaging_free = std::max(gathering.closed + averaging, m_averaging_free + all_of_them);
    send_back(m_averaging_free, round, fragment);
}

void Wave::send_back(double averaged, std::int64_t round, std::int64_t fragment) {
    if (m_watching)
        m_timeline->gatherings.back().sent_back = averaged;
    const std::uint64_t transfer = m_fleet.transfer_of(round, fragment);
    const double bits = m_fleet.traffic.of_round(m_fleet.traffic.down_bits, fragment);
    m_flows.resize(m_senders.size());
    for_each_of(m_senders.size(),
                [&](std::size_t i) { m_flows[i] = download(m_fleet.members[m_senders[i]], averaged, bits, transfer); });
    if (m_egress)
        m_egress->share(m_flows);
    m_received.resize(m_senders.size());
    for_each_of(m_senders.size(), [&](std::size_t i) { m_received[i] = receive(i, m_flows[i], round, fragment); });
    double returned = 0; // summed in a fixed order, independent of the number of threads
    for (const double arrival : m_received)
        returned += arrival - averaged;
    if (!m_senders.empty())
        m_aggregator.returned(returned / static_cast<double>(m_senders.size()));
}

/// Download over a site's own link alone. A half-duplex link transfers each average before the next fragment's update.
Flow Wave::download(Member &member, double from, double bits, std::uint64_t transfer) const {
    const double start = std::max(from, member.link.full_duplex ? member.down.free : member.up.free);
    const double end = member.down.end_of(start, bits, transfer);
    return {start, bits, bits / std::max(end - start, 1e-300), end};
}

double Wave::receive(std::size_t sender, const Flow &flow, std::int64_t round, std::int64_t fragment) {
    Member &member = m_fleet.members[m_senders[sender]];
    member.down.free = flow.end;
    if (!member.link.full_duplex)
        member.up.free = flow.end;
    member.down_busy += flow.end - flow.start;
    const double arrival =
        flow.end + member.link.one_way_seconds + member.jitter(member.down_delay, m_fleet.transfer_of(round, fragment));
    const std::size_t watched = m_contributions[sender].journey;
    if (watched != unwatched) {
        Journey &journey = m_timeline->journeys[watched];
        journey.returned_start = flow.start;
        journey.returned_end = flow.end;
        journey.received = arrival;
    }
    deliver(sender, round, fragment, arrival);
    return arrival;
}

/// Exchange without an aggregator. It starts when the available sites are ready and their links are free.
void Wave::together(std::int64_t round, std::int64_t fragment) {
    const Gathering gathering = m_aggregator.close(round, fragment, m_contributions);
    if (gathering.voided)
        return;
    const Exchange exchange(m_fleet, round, fragment);
    std::vector<std::size_t> taking_part, latecomers;
    for (std::size_t i = 0; i < m_senders.size(); ++i)
        (m_ready[i] <= gathering.closed ? taking_part : latecomers).push_back(i);
    const double end =
        exchange.among(m_senders, taking_part, gathering.closed, m_watching ? m_timeline : nullptr, m_contributions);
    for (const std::size_t i : taking_part)
        deliver(i, round, fragment, end);
    for (const std::size_t i : latecomers) {
        const double bits = m_fleet.traffic.of_round(m_fleet.traffic.down_bits_to_latecomer, fragment);
        const std::uint64_t transfer = m_fleet.transfer_of(round, fragment);
        receive(i, download(m_fleet.members[m_senders[i]], end, bits, transfer), round, fragment);
    }
    if (m_watching)
        m_timeline->gatherings.back().sent_back = end;
}

void Wave::in_pairs(std::int64_t round, std::int64_t fragment) {
    Gathering gathering{.round = round, .fragment = fragment, .first_arrival = never, .closed = 0};
    std::vector<std::size_t> order(m_senders.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> draws(m_senders.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        draws[i] =
            m_fleet.random.draws(Randomness::Use::pairing, m_senders[i]).uniform(m_fleet.transfer_of(round, fragment));
        gathering.first_arrival = std::min(gathering.first_arrival, m_ready[i]);
        gathering.closed = std::max(gathering.closed, m_ready[i]);
    }
    gathering.quorum = gathering.sent_back = gathering.closed;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return draws[a] < draws[b]; });
    m_aggregator.settle(gathering, m_contributions);
    const Exchange exchange(m_fleet, round, fragment);
    for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
        const double ready = std::max(m_ready[order[i]], m_ready[order[i + 1]]);
        const double end = exchange.among(m_senders, {order[i], order[i + 1]}, ready, m_watching ? m_timeline : nullptr,
                                          m_contributions);
        deliver(order[i], round, fragment, end);
        deliver(order[i + 1], round, fragment, end);
    }
}

void Wave::deliver(std::size_t sender, std::int64_t round, std::int64_t fragment, double arrival) {
    Member &member = m_fleet.members[m_senders[sender]];
    member.site.expect(m_fleet.step_of(member, round, fragment), arrival, fragment, m_contributions[sender].journey);
}

} // namespace meshwright
