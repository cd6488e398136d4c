// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/sites_timeline.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace meshwright {
namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("SitesTimeline", text);
}

constexpr std::array<Kind, FragmentColours> Kinds{Kind::Blue, Kind::Yellow, Kind::Purple, Kind::Green, Kind::Cyan};
constexpr std::size_t StripStretches = 2048;
/// Up to this number, the steps of a span are drawn separately. More steps are drawn as one block.
constexpr double MaxStepsDrawn = 4096;

std::uint8_t styleOf(SiteActivity activity) {
    switch (activity) {
    case SiteActivity::stall:
        return static_cast<std::uint8_t>(SiteStyle::Stall);
    case SiteActivity::away:
        return static_cast<std::uint8_t>(SiteStyle::Away);
    case SiteActivity::rejoin:
        return static_cast<std::uint8_t>(SiteStyle::Rejoin);
    case SiteActivity::compute:
        break;
    }
    return static_cast<std::uint8_t>(SiteStyle::Step);
}

std::uint8_t styleOfFragment(std::int64_t fragment) {
    return static_cast<std::uint8_t>(static_cast<std::int64_t>(SiteStyle::FirstFragment) + fragment % FragmentColours);
}

std::vector<TimelineStyle> stylesOfSites() {
    using Fill = TimelineStyle::Fill;
    std::vector<TimelineStyle> styles{
        {},
        {tr("inner steps"), {}, Kind::Grey},
        {tr("stall"), {}, Kind::Red},
        {tr("offline"), {}, Kind::Red, Fill::Hatched},
        {tr("rejoining"), {}, Kind::Purple2, Fill::Hatched},
    };
    for (const Kind kind : Kinds)
        styles.push_back({tr("fragment"), {}, kind});
    return styles;
}

std::shared_ptr<TimelineModel> newModel(const SitesRun &run) {
    auto model = std::make_shared<TimelineModel>();
    model->styles = stylesOfSites();
    model->trackWord = tr("site");
    model->numbersInCycle = static_cast<int>(std::max<std::int64_t>(1, run.question.plan.outer.fragments));
    model->whole = {0, std::max(1e-9, run.end)};
    return model;
}

enum class Detail { Steps, Blocks };

std::vector<TimelineSpan> spansOf(const SitesRun &run, std::int64_t site, Detail detail) {
    std::vector<TimelineSpan> spans;
    for (const std::uint32_t index : run.spans.of(site)) {
        const SiteSpan &from = run.timeline.spans[index];
        SpanLook look{.number = -1, .source = static_cast<std::int32_t>(index), .style = styleOf(from.activity)};
        const double steps = from.step_seconds > 0 ? std::round((from.end - from.start) / from.step_seconds) : 1;
        if (detail == Detail::Blocks || from.activity != SiteActivity::compute || steps > MaxStepsDrawn) {
            spans.push_back({{from.start, from.end}, look});
            continue;
        }
        for (double step = 0; step < steps; ++step)
            spans.push_back({{from.start + step * from.step_seconds,
                              step + 1 < steps ? from.start + (step + 1) * from.step_seconds : from.end},
                             look});
    }
    return spans;
}

std::vector<TimelineSpan> transfersOf(const SitesRun &run, std::int64_t site, SiteRow row) {
    std::vector<TimelineSpan> spans;
    for (const std::uint32_t index : run.journeys.of(site)) {
        const Journey &journey = run.timeline.journeys[index];
        const double start = row == SiteRow::Up ? journey.sent_start : journey.returned_start;
        const double end = row == SiteRow::Up ? journey.sent_end : journey.returned_end;
        if (start == never || end == never || !(end > start))
            continue;
        spans.push_back({{start, end},
                         {.number = numberOf(run, journey),
                          .source = static_cast<std::int32_t>(index),
                          .style = styleOfFragment(journey.fragment)}});
    }
    std::stable_sort(spans.begin(), spans.end(),
                     [](const TimelineSpan &a, const TimelineSpan &b) { return a.time.begin < b.time.begin; });
    return spans;
}

} // namespace

Kind kindOfFragment(std::int64_t fragment) {
    return Kinds[static_cast<std::size_t>(fragment % FragmentColours)];
}

int numberOf(const SitesRun &run, const Journey &journey) {
    return static_cast<int>((journey.round - run.timeline.first_round) * run.question.plan.outer.fragments
                            + journey.fragment);
}

std::vector<std::int64_t> sitesToShow(const SitesRun &run, std::size_t most) {
    const std::int64_t sites = run.timeline.sites;
    std::set<std::int64_t> chosen;
    const bool mayLeave = run.question.plan.faults.site_mtbf_seconds.has_value();
    for (std::size_t i = 0; mayLeave && i < run.timeline.spans.size() && chosen.size() < 2; ++i)
        if (run.timeline.spans[i].activity == SiteActivity::away)
            chosen.insert(run.timeline.spans[i].site);
    for (std::size_t i = 0; i < most && chosen.size() < most; ++i) {
        std::int64_t site =
            static_cast<std::int64_t>(i) * std::max<std::int64_t>(1, sites - 1) / static_cast<std::int64_t>(most - 1);
        site = std::min(site, sites - 1);
        if (site >= 0)
            chosen.insert(site);
    }
    return {chosen.begin(), chosen.end()};
}

SitesTimeline closeTimelineOf(const SitesRun &run, const std::vector<std::int64_t> &sites) {
    SitesTimeline made;
    const auto model = newModel(run);
    const std::set<std::int64_t> wanted(sites.begin(), sites.end());
    for (const std::int64_t site : wanted) {
        model->tracks.emplace_back(tr("site %1").arg(site + 1), spansOf(run, site, Detail::Steps));
        made.tracks.push_back({site, SiteRow::Steps});
        for (const SiteRow row : {SiteRow::Up, SiteRow::Down}) {
            model->tracks.emplace_back(row == SiteRow::Up ? tr("up") : tr("down"), transfersOf(run, site, row), 1);
            made.tracks.push_back({site, row});
        }
    }
    made.model = model;
    return made;
}

SitesTimeline wholeTimelineOf(const SitesRun &run) {
    SitesTimeline made;
    const auto model = newModel(run);
    model->tracks.reserve(static_cast<std::size_t>(run.timeline.sites));
    for (std::int64_t site = 0; site < run.timeline.sites; ++site) {
        model->tracks.emplace_back(QString::number(site + 1), spansOf(run, site, Detail::Blocks));
        made.tracks.push_back({site, SiteRow::Steps});
    }
    made.model = model;
    return made;
}

TimelineModelPointer loadStripOf(const SitesRun &run) {
    auto model = std::make_shared<TimelineModel>();
    model->styles = {{},
                     {{}, {}, Kind::Grey, TimelineStyle::Fill::Blank},
                     {tr("uplinks"), {}, Kind::Green},
                     {tr("downlinks"), {}, Kind::Cyan}};
    const TimelineCurves curves = curves_of(run.timeline, StripStretches);
    const auto strip = [&](const QString &name, const std::vector<double> &shares, std::uint8_t style) {
        std::vector<TimelineSpan> spans;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const double begin = curves.start + static_cast<double>(i) * curves.interval;
            const double busy = begin + std::clamp(shares[i], 0.0, 1.0) * curves.interval;
            spans.push_back({{begin, busy}, {.style = style}});
            spans.push_back({{busy, begin + curves.interval}, {.style = 1}});
        }
        model->tracks.emplace_back(name, spans);
    };
    strip(tr("up"), curves.uplinks, 2);
    strip(tr("down"), curves.downlinks, 3);
    model->whole = newModel(run)->whole;
    return model;
}

DrawnSites drawSites(const SitesQuestion &question, const std::stop_token &stop) {
    DrawnSites drawn{.run = runSites(question, stop), .all = {}, .load = {}};
    if (drawn.run != nullptr && drawn.run->drawable) {
        drawn.all = wholeTimelineOf(*drawn.run);
        drawn.load = loadStripOf(*drawn.run);
    }
    return drawn;
}

} // namespace meshwright
