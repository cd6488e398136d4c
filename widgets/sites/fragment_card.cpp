// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/fragment_card.h"

#include "figures/figure_text.h"
#include "sites/sites_timeline.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"

#include <QCoreApplication>

#include <cmath>

namespace meshwright {
namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("SiteCard", text);
}

QString pair(const QString &first, const QString &second) {
    return first + QStringLiteral(" · ") + second;
}

QString fateText(UpdateFate fate) {
    switch (fate) {
    case UpdateFate::on_time:
        return tr("on time");
    case UpdateFate::late:
        return tr("late, included in a later round");
    case UpdateFate::dropped:
        return tr("too late, dropped");
    case UpdateFate::voided:
        return tr("round missed its quorum");
    case UpdateFate::lost:
        return tr("lost when the site left");
    case UpdateFate::in_flight:
        break;
    }
    return tr("in flight");
}

HoverContent activityCard(const SitesRun &run, const SiteSpan &span, const TimeRange &time, const TimeRange &visible) {
    HoverContent content;
    const auto add = [&](const QString &name, const QString &value) { content.rows.append({name, value}); };
    switch (span.activity) {
    case SiteActivity::compute:
        content.title = tr("Inner step, site %1").arg(span.site + 1);
        break;
    case SiteActivity::stall:
        content.title = tr("Stall, site %1").arg(span.site + 1);
        if (span.fragment >= 0)
            add(tr("Waiting for"), tr("fragment %1").arg(span.fragment));
        break;
    case SiteActivity::away:
        content.title = tr("Site %1 offline").arg(span.site + 1);
        break;
    case SiteActivity::rejoin:
        content.title = tr("Site %1 rejoining").arg(span.site + 1);
        add(tr("Downloads"),
            figureText(run.question.parameters * run.question.plan.faults.rejoin_bytes_per_parameter, Quantity::bytes));
        break;
    }
    add(tr("Start · end"), pair(timeText(time.begin, visible), timeText(time.end, visible)));
    add(tr("Duration"), durationText(time.length()));
    return content;
}

} // namespace

HoverContent describeFragment(const SitesRun &run, const Journey &journey, const TimeRange &visible,
                              const Theme &theme) {
    HoverContent content;
    const auto add = [&](const QString &name, const QString &value) { content.rows.append({name, value}); };
    const auto when = [&](double time) { return time == never ? tr("never") : timeText(time, visible); };
    const auto took = [&](double from, double to) {
        return from == never || to == never ? tr("never") : durationText(to - from);
    };
    content.title = tr("Fragment %1, round %2, site %3")
                        .arg(journey.fragment)
                        .arg(run.numberOfRound(journey.round))
                        .arg(journey.site + 1);
    content.swatch = theme.fill(kindOfFragment(journey.fragment));
    add(tr("Released"), when(journey.released));
    add(tr("Sent · duration"), pair(when(journey.sent_start), took(journey.sent_start, journey.sent_end)));
    add(tr("Arrived"), pair(when(journey.arrived), fateText(journey.fate)));
    const Gathering &gathering = run.gatherings[static_cast<std::size_t>(numberOf(run, journey))].gathering;
    if (gathering.voided)
        add(tr("Quorum"), tr("not reached, round dropped"));
    else if (gathering.closed != never)
        add(tr("Quorum · closed"),
            tr("%1 · %2 with %3 of %4")
                .arg(when(gathering.quorum), when(gathering.closed))
                .arg(gathering.on_time)
                .arg(run.timeline.sites));
    add(tr("Returned · duration"),
        pair(when(journey.returned_start), took(journey.returned_start, journey.returned_end)));
    if (journey.applied != never)
        add(tr("Applied"),
            pair(when(journey.applied),
                 tr("%1 steps stale").arg(figureText(journey.applied_steps_late, Quantity::number))));
    const OuterRun &watched = run.watched;
    const auto fragments = static_cast<double>(run.question.plan.outer.fragments);
    add(tr("Mean traffic"),
        tr("%1 up, %2 down")
            .arg(figureText(watched.up_bytes / fragments, Quantity::bytes),
                 figureText(watched.down_bytes / fragments, Quantity::bytes)));
    return content;
}

HoverContent describeSite(const SitesRun &run, const SitesTimeline &timeline, SpanIndex span, const TimeRange &visible,
                          const Theme &theme) {
    const TimelineTrack &track = timeline.model->tracks[static_cast<std::size_t>(span.track)];
    const SpanLook &look = track.look(span.span);
    const auto source = static_cast<std::size_t>(look.source);
    if (timeline.tracks[static_cast<std::size_t>(span.track)].row != SiteRow::Steps)
        return describeFragment(run, run.timeline.journeys[source], visible, theme);
    HoverContent content = activityCard(run, run.timeline.spans[source], track.time(span.span), visible);
    content.swatch = theme.fill(timeline.model->styles[look.style].kind);
    return content;
}

} // namespace meshwright
