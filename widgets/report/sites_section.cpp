// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_text.h"
#include "report/paper.h"
#include "report/paper_chart.h"
#include "report/report_sections.h"
#include "report/timeline_paper.h"
#include "sites/sites_timeline.h"
#include "sites/sweep_card.h"
#include "timeline/time_ticks.h"

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal SiteGutter = 44; ///< space for the names of rows
constexpr std::size_t shownSites = 3;

/// Steps, uplink and downlink of some sites: two rounds, or the part of two rounds in which individual steps and
/// transfers are visible.
SitesTimeline shownTimeline(const SitesRun &run) {
    constexpr std::size_t maxRounds = 2;
    constexpr double maxTransfers = 60;
    SitesTimeline timeline = closeTimelineOf(run, sitesToShow(run, shownSites));
    auto model = std::make_shared<TimelineModel>(*timeline.model);
    // In print without color, a solid red would look like the gray of the steps.
    TimelineStyle &stall = model->styles[static_cast<std::size_t>(SiteStyle::Stall)];
    stall.kind = Kind::Grey;
    stall.fill = TimelineStyle::Fill::Hatched;
    if (run.roundStarts.size() > maxRounds)
        model->whole.end = std::min(model->whole.end, run.roundStarts[maxRounds]);
    double transfers = 0; // maximum number of transfers in a row of the timeline
    for (const TimelineTrack &track : model->tracks)
        if (track.depth() > 0)
            transfers = std::max(transfers,
                                 static_cast<double>(track.count()) * model->whole.length()
                                     / std::max(1e-9, track.extent().length()));
    if (transfers > maxTransfers)
        model->whole.end = model->whole.begin + model->whole.length() * maxTransfers / transfers;
    timeline.model = model;
    return timeline;
}

void paintSites(Paper &paper, const QRectF &area, const TimelineModel &model) {
    const QRectF plot(area.left() + SiteGutter, area.top(), area.width() - SiteGutter,
                      area.height() - PaperRulerHeight);
    paintTimelineRows(paper.painter(), plot, model, paper.theme());
    const auto tracks = static_cast<qreal>(model.tracks.size());
    const qreal line = Theme::lineHeight(TypeRole::Caption);
    for (std::size_t i = 0; i < model.tracks.size(); ++i) {
        const TimelineTrack &track = model.tracks[i];
        paper.text(plot.left() - 6, plot.top() + plot.height() / tracks * (static_cast<qreal>(i) + 0.44) - line / 2,
                   track.name(), TypeRole::Caption, track.depth() == 0 ? ColourRole::Text : ColourRole::Text3,
                   TextWeight::Regular, Qt::AlignRight);
    }
    paintRuler(paper.painter(), QRectF(plot.left(), plot.bottom() + 2, plot.width(), PaperRulerHeight - 2), model.whole,
               paper.theme(), RulerSide::BelowPlot);
}

/// One legend entry for each activity that occurs. All fragments share an entry, because their colors only distinguish
/// neighbors.
std::vector<LegendValue> sitesLegend(const TimelineModel &model) {
    TimelineModel steps = model;
    std::erase_if(steps.tracks, [](const TimelineTrack &track) { return track.depth() > 0; });
    std::vector<LegendValue> legend = timelineLegend(steps);
    legend.push_back(
        {{QStringLiteral("fragment transfers, colored by fragment"), Kind::Blue, SegmentFill::Solid, {}}, {}, {}});
    return legend;
}

void addTimeline(ReportSection &section, const ReportData &data) {
    const SitesRun &run = *data.sites;
    const auto timeline = std::make_shared<const SitesTimeline>(shownTimeline(run));
    section.parts.emplace_back(PicturePart{
        .title = QStringLiteral("Timeline of some sites: inner steps, uplink and downlink"),
        .caption = QStringLiteral("Simulated run of %1 of %2 sites, from the start of a round: inner steps and stalls, "
                                  "with the transfers on uplink and downlink below them. The list gives the fraction "
                                  "of these sites' time that each activity takes.")
                       .arg(std::min<std::size_t>(shownSites, static_cast<std::size_t>(run.timeline.sites)))
                       .arg(run.timeline.sites),
        .minHeight = 9 * 13 + PaperRulerHeight,
        .maxHeight = 9 * 18 + PaperRulerHeight,
        .paint = [timeline](Paper &paper, const QRectF &area) { paintSites(paper, area, *timeline->model); },
        .legend = sitesLegend(*timeline->model),
        .values = {}});
}

void addSweeps(ReportSection &section, const ReportData &data) {
    std::vector<TitledChart> charts;
    TablePart values{{{QStringLiteral("setting"), 1, Qt::AlignLeft},
                      {QStringLiteral("value")},
                      {QStringLiteral("compute utilization")}},
                     {}};
    for (const Sweep &sweep : data.sweeps->sweeps) {
        QString title = SweepCard::nameOf(sweep.of);
        title[0] = title[0].toUpper();
        ChartView view = SweepCard::chartOf(sweep);
        for (ChartMark &mark : view.marks)
            // Utilization rises with most settings, so there is room below the curve.
            mark.place = LabelPlace::RightBelow;
        charts.push_back({title, view});
        for (const QPointF &point : sweep.points)
            values.rows.push_back({title, SweepCard::textOf(sweep.of, point.x()), shareText(point.y())});
    }
    if (charts.empty())
        return;
    const auto pairs = (charts.size() + 1) / 2;
    const auto rows = static_cast<qreal>(pairs);
    section.parts.emplace_back(PicturePart{
        .title = QStringLiteral("Compute utilization of the sites, with one setting varied at a time"),
        .caption = QStringLiteral("Compute utilization, in percent, with one setting varied and the rest of the plan "
                                  "fixed; the dot is the plan."),
        .minHeight = rows * 112,
        .maxHeight = rows * 150,
        .paint = [charts](Paper &paper, const QRectF &area) { paintCharts(paper, area, charts, 2); },
        .legend = {},
        .values = values});
}

FactGroup settingFacts(const Plan &plan) {
    const auto number = [](std::int64_t value) { return countText(static_cast<double>(value)); };
    FactGroup group{QStringLiteral("Outer loop"),
                    {{QStringLiteral("inner steps (H)"), number(plan.outer.inner_steps)},
                     {QStringLiteral("fragments"), number(plan.outer.fragments)},
                     {QStringLiteral("overlap"),
                      SweepCard::textOf(SweepOf::Overlap, static_cast<double>(plan.outer.overlap_steps))}}};
    if (plan.outer.quorum < plan.cluster.sites)
        group.facts.push_back({QStringLiteral("quorum"), number(plan.outer.quorum)});
    return group;
}

} // namespace

ReportSection sitesSection(const ReportDataPointer &data) {
    ReportSection section{ReportChapter::sites, titleOf(ReportChapter::sites), {}, {}};
    const Result &result = data->result();
    if (!result.outer || data->sites == nullptr)
        return section;
    section.note =
        QStringLiteral("%1 sites, %2")
            .arg(countText(static_cast<double>(result.plan.cluster.sites)),
                 QString::fromStdString(outer_method_names()[static_cast<std::size_t>(result.plan.outer.method)]));
    if (data->sites->drawable)
        addTimeline(section, *data);
    if (data->sweeps != nullptr)
        addSweeps(section, *data);
    section.parts.emplace_back(FactsPart{{{settingFacts(result.plan)}, {outerGroup(*result.outer)}}});
    const OuterQuality &quality = data->sites->facts.quality;
    if (!quality.penalty_source.empty())
        section.parts.emplace_back(TextPart{
            QStringLiteral("Source of the loss penalty: %1.").arg(QString::fromStdString(quality.penalty_source))});
    return section;
}

} // namespace meshwright
