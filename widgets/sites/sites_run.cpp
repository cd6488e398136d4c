// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/sites_run.h"

#include "outer/link.h"
#include "outer/sample.h"
#include "plan/outer_symmetry.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr double MaxUpdates = 4e5; ///< maximum number of updates, summed over the watched rounds
constexpr double MaxUpdatesOfARound = 7.5e5; ///< maximum number of updates in a round; rounds with more are not drawn
constexpr double MaxUpdatesOfARun = 4e7;
constexpr double MaxRounds = 12;
constexpr std::int64_t MeasuredRounds = 20;
constexpr std::size_t CurveStretches = 4096;

/// Shifts all times so that the first watched round begins at 0. Earlier activity of the sites is cut off.
void moveToZero(OuterTimeline &timeline) {
    const std::vector<double> starts = round_starts(timeline);
    if (starts.empty() || starts.front() == never)
        return;
    const double begin = starts.front();
    for (SiteSpan &span : timeline.spans) {
        span.start = std::max(0.0, span.start - begin);
        span.end -= begin;
    }
    std::erase_if(timeline.spans, [](const SiteSpan &span) { return !(span.end > span.start); });
    for (Journey &journey : timeline.journeys)
        for (double *time : {&journey.released, &journey.sent_start, &journey.sent_end, &journey.arrived,
                             &journey.returned_start, &journey.returned_end, &journey.received, &journey.applied})
            *time -= begin;
    for (Gathering &gathering : timeline.gatherings)
        for (double *time : {&gathering.first_arrival, &gathering.quorum, &gathering.closed, &gathering.sent_back})
            *time -= begin;
}

void gather(SitesRun &run) {
    const std::int64_t fragments = run.question.plan.outer.fragments;
    const std::int64_t first = run.timeline.first_round;
    run.gatherings.resize(static_cast<std::size_t>(run.timeline.rounds * fragments));
    const auto at = [&](std::int64_t round, std::int64_t fragment) -> WatchedGathering * {
        const bool watched = round >= first && round < first + run.timeline.rounds;
        return watched ? &run.gatherings[static_cast<std::size_t>((round - first) * fragments + fragment)] : nullptr;
    };
    for (const Gathering &gathering : run.timeline.gatherings)
        if (WatchedGathering *const watched = at(gathering.round, gathering.fragment))
            watched->gathering = gathering;
    for (const Journey &journey : run.timeline.journeys) {
        WatchedGathering *const watched = at(journey.round, journey.fragment);
        if (watched == nullptr)
            continue;
        if (journey.arrived != never)
            watched->arrivals.push_back(journey.arrived);
        if (journey.returned_end != never)
            watched->returned =
                watched->returned == never ? journey.returned_end : std::max(watched->returned, journey.returned_end);
    }
    for (WatchedGathering &watched : run.gatherings)
        std::sort(watched.arrivals.begin(), watched.arrivals.end());
}

void watch(SitesRun &run) {
    const Plan &plan = run.question.plan;
    const double all = static_cast<double>(plan.cluster.sites) * static_cast<double>(plan.outer.fragments);
    const bool everySite = all <= MaxUpdates;
    const double followed = everySite ? all : updates_of_a_round(plan);
    run.drawable = followed <= MaxUpdatesOfARound;
    if (!run.drawable)
        return;
    const auto watched = static_cast<std::int64_t>(std::clamp(std::floor(MaxUpdates / followed), 1.0, MaxRounds));
    // If all sites are alike and link rates are constant, all rounds are equal. Rounds before the watched ones are then
    // skipped.
    const bool alike = are_alike(plan) && site_link(*plan.cluster.wan, 0).rate.is_constant();
    run.watched = simulate_outer(plan, run.question.parameters, run.question.stepSeconds, usual_seed,
                                 {.settling_rounds = alike ? 0 : run.question.from,
                                  // For plans that are slow to simulate, only the watched rounds are simulated.
                                  .rounds = is_slow_to_follow(plan) ? watched : MeasuredRounds,
                                  .watched_rounds = watched,
                                  .every_site = everySite},
                                 &run.timeline);
    moveToZero(run.timeline);
    gather(run);
    const OuterTimeline &timeline = run.timeline;
    run.spans = {timeline.spans.size(), timeline.sites, [&](std::size_t i) { return timeline.spans[i].site; }};
    run.journeys = {timeline.journeys.size(), timeline.sites, [&](std::size_t i) { return timeline.journeys[i].site; }};
    for (const SiteSpan &span : timeline.spans)
        run.end = std::max(run.end, span.end);
    run.curves = curves_of(run.timeline, CurveStretches);
    run.roundStarts = round_starts(run.timeline);
    run.staleness = staleness_by_fragment(run.timeline, plan.outer.fragments);
}

} // namespace

SitesFacts factsOf(const SitesQuestion &question, const OuterRun &simulated) {
    return {.question = question,
            .guards = outer_guards(question.plan, question.parameters, question.stepSeconds, &simulated),
            .quality = outer_quality(question.plan, question.parameters, question.flops),
            .upkeep = outer_requirements(question.plan, question.parameters, question.stepSeconds,
                                         simulated.round_seconds, question.rounds)};
}

SitesQuestion sampleOf(const SitesQuestion &question, double most, double minSites) {
    SitesQuestion sample = question;
    const Plan &plan = question.plan;
    const double updates = updates_of_a_round(plan);
    if (are_alike(plan) || plan.aggregation.topology != Topology::star || updates <= most)
        return sample;
    const double sites = static_cast<double>(plan.cluster.sites) * most / updates;
    sample.plan = sample_of_sites(plan, static_cast<std::int64_t>(std::max(minSites, sites)));
    return sample;
}

SitesCoursePointer courseOf(const SitesQuestion &question, const std::stop_token &stop) {
    constexpr std::int64_t Stretches = 512;
    auto course = std::make_shared<SitesCourse>();
    course->question = question;
    course->runRounds = std::max(1.0, std::ceil(question.rounds));
    constexpr double MaxOfARound = 2e4;
    constexpr double MinSites = 12; // minimum number of sites in a sample; few are enough because there are many rounds
    const Plan plan = sampleOf(question, std::min(MaxOfARound, MaxUpdatesOfARun / course->runRounds), MinSites).plan;
    course->sites = plan.cluster.sites;
    const double affordable = std::floor(MaxUpdatesOfARun / updates_of_a_round(plan));
    const auto followed = static_cast<std::int64_t>(std::clamp(affordable, 1.0, course->runRounds));
    course->course = follow_run(plan, question.parameters, question.stepSeconds, usual_seed, followed, Stretches, stop);
    if (stop.stop_requested())
        return nullptr;
    double seconds = 0, rounds = 0;
    for (const OuterRun &stretch : course->course.stretches) {
        seconds += stretch.round_seconds * stretch.rounds;
        rounds += stretch.rounds;
        course->ends.push_back(seconds);
        course->rounds.push_back(rounds);
    }
    return course;
}

SitesRunPointer runSites(const SitesQuestion &question, const std::stop_token &stop) {
    QElapsedTimer time;
    time.start();
    auto run = std::make_shared<SitesRun>();
    run->question = question;
    const Plan &plan = question.plan;
    run->runs = simulate_runs(plan, question.parameters, question.stepSeconds, usual_seed, usual_runs(plan));
    if (stop.stop_requested())
        return nullptr;
    watch(*run);
    OuterRun typical = run->runs.runs.front();
    typical.utilisation = run->runs.of(&OuterRun::utilisation).p50;
    typical.round_seconds = run->runs.of(&OuterRun::round_seconds).p50;
    run->facts = factsOf(question, typical);
    run->milliseconds = static_cast<double>(time.nsecsElapsed()) / 1e6;
    return stop.stop_requested() ? nullptr : run;
}

} // namespace meshwright
