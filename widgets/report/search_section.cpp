// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/axis.h"
#include "figures/figure_text.h"
#include "gantt/schedule_names.h"
#include "report/paper_chart.h"
#include "report/report_sections.h"
#include "search/configuration_selection.h"
#include "search/found_text.h"

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

/// The rows of a search answer as a selection, and the text about one of these rows.
struct Found {
    ConfigurationSelection selection;
    FoundText text;
};

/// Removes the links of figures, because their derivations belong to other plans and are not in the report.
QString plain(const SentenceText &text) {
    return text.text;
}

QString sentencesOf(const std::vector<QString> &parts) {
    QStringList sentences;
    for (QString part : parts) {
        part = part.trimmed();
        if (part.isEmpty())
            continue;
        part[0] = part[0].toUpper();
        sentences << (part.endsWith(QLatin1Char('.')) ? part : part + QLatin1Char('.'));
    }
    return sentences.join(QLatin1Char(' '));
}

/// Run time and rental cost before and after: the figures on which a decision depends.
QString effectOf(const SearchAnswer &answer, const SearchEntry &entry) {
    const Result &present = *answer.present;
    const auto change = [](const QString &name, double from, double to, Quantity quantity) {
        return QStringLiteral("%1 %2 \u2192 %3").arg(name, figureText(from, quantity), figureText(to, quantity));
    };
    return QStringList{
        change(QStringLiteral("run"), present.run.seconds, entry.run_seconds, Quantity::seconds),
        change(QStringLiteral("cost"), present.run.rental_dollars, entry.dollars, Quantity::dollars),
        change(QStringLiteral("headroom"), present.verdict.headroom_bytes, entry.headroom_bytes, Quantity::bytes)}
        .join(QStringLiteral(", "));
}

// --- Pareto front ----------------------------------------------------------------------------------------------------

QPointF placeOf(const LayoutRow &row) {
    return {row.entry.step_seconds, row.entry.headroom_bytes};
}

/// Ranked rows, and the Pareto front of step time and headroom.
ChartView frontView(const SearchAnswer &answer) {
    ChartView view{.titles = AxisTitles::Shown, .grid = Grid::Both};
    QVector<QPointF> all;
    for (const LayoutRow &row : answer.rows)
        if (!row.ofSchedule && (!row.present || !answer.fits || row.entry.headroom_bytes >= 0))
            all.append(placeOf(row));
    std::sort(all.begin(), all.end(),
              [](const QPointF &a, const QPointF &b) { return a.x() != b.x() ? a.x() < b.x() : a.y() > b.y(); });
    QVector<QPointF> front;
    for (const QPointF &point : all)
        if (front.isEmpty() || point.y() > front.last().y())
            front.append(point);
    double lowest = 0;
    double highest = 0;
    for (const QPointF &point : all) {
        lowest = std::min(lowest, point.y());
        highest = std::max(highest, point.y());
    }
    const double room = std::max(0.04 * (all.last().x() - all.first().x()), 0.01 * all.last().x());
    view.x = {.title = QStringLiteral("step time"),
              .low = std::max(0.0, all.first().x() - room),
              .high = all.last().x() + room,
              .unit = timeUnit(all.last().x()),
              .unitOnTicks = true};
    view.y = {.title = QStringLiteral("headroom, GB"), .unit = {1e9, QStringLiteral("GB")}};
    spanLinear(view.y, lowest, highest);
    if (answer.headroom_bytes > std::max(0.0, view.y.low))
        view.hatched = {std::max(0.0, view.y.low), answer.headroom_bytes};
    view.series.append({.points = front, .ink = ColourRole::Accent, .stepped = true, .width = 1.25});
    view.dots.append({.points = all, .ink = ColourRole::Text3, .radius = 2, .hollow = true});
    view.dots.append({.points = front, .ink = ColourRole::Accent, .radius = 2.75});
    const auto mark = [&](const LayoutRow *row, const QString &name, const ChartInk &ink) {
        if (row != nullptr)
            view.marks.append({.at = placeOf(*row),
                               .text = name + QLatin1Char(' ') + figureText(row->entry.step_seconds, Quantity::seconds),
                               .ink = ink,
                               .place = LabelPlace::RightAbove,
                               .unreached = Unreached::AtEdge});
    };
    const LayoutRow *const offered = answer.offeredRow();
    if (offered != nullptr && !offered->present)
        mark(offered, QStringLiteral("best"), ColourRole::Good);
    mark(answer.presentRow(), QStringLiteral("this plan"), ColourRole::Text);
    return view;
}

// --- Table -----------------------------------------------------------------------------------------------------------

std::vector<SentenceText> rowOf(const LayoutRow &row, const ConfigurationFigures &figures) {
    const auto cell = [&](ColumnId column) -> SentenceText { return figures.text(row, column); };
    const QString rank = row.present
        ? (row.rank > 0 ? QStringLiteral("%1, this plan").arg(row.rank) : QStringLiteral("this plan"))
        : row.rank > 0 ? QString::number(row.rank)
                       : QStringLiteral("front");
    return {rank,
            cell(ColumnId::tensor),
            cell(ColumnId::context),
            cell(ColumnId::pipeline),
            cell(ColumnId::chunks),
            cell(ColumnId::expert),
            cell(ColumnId::data),
            cell(ColumnId::micro),
            cell(ColumnId::zero),
            cell(ColumnId::recompute),
            scheduleText(row.entry.plan.parallelism.schedule),
            figureText(row.entry.step_seconds, Quantity::seconds),
            shareText(row.entry.mfu),
            figureText(row.entry.headroom_bytes, Quantity::bytes),
            figureText(row.entry.dollars, Quantity::dollars)};
}

TablePart bestTable(const SearchAnswer &answer) {
    constexpr std::size_t mostRanked = 8;
    constexpr std::size_t most = 12;
    TablePart table{{{QStringLiteral("rank"), 1.5, Qt::AlignLeft},
                     {QStringLiteral("TP"), 0.6},
                     {QStringLiteral("CP"), 0.6},
                     {QStringLiteral("PP"), 0.6},
                     {QStringLiteral("chunks"), 0.95},
                     {QStringLiteral("EP"), 0.65},
                     {QStringLiteral("DP"), 0.8},
                     {QStringLiteral("micro"), 0.8},
                     {QStringLiteral("ZeRO"), 0.8},
                     {QStringLiteral("recompute"), 1.7, Qt::AlignLeft},
                     {QStringLiteral("schedule"), 2.2, Qt::AlignLeft},
                     {QStringLiteral("step"), 1.1},
                     {QStringLiteral("MFU"), 1.1},
                     {QStringLiteral("headroom"), 1.4},
                     {QStringLiteral("cost"), 1.2}},
                    {}};
    const ConfigurationFigures figures(answer);
    for (const LayoutRow &row : answer.rows) {
        const bool isRanked = row.rank > 0 && static_cast<std::size_t>(row.rank) <= mostRanked;
        const bool isFront = row.rank == 0 && row.onFront && table.rows.size() < most;
        if (!isRanked && !isFront && !row.present)
            continue;
        if (row.present)
            table.strong = static_cast<int>(table.rows.size());
        table.rows.push_back(rowOf(row, figures));
    }
    return table;
}

QString spaceText(const SearchResult &found) {
    const QString considered = countText(static_cast<double>(found.considered));
    return found.complete
        ? QStringLiteral("All %1 configurations within the constraints were considered, each ruled out by a bound or "
                         "evaluated.")
              .arg(considered)
        : QStringLiteral("%1 configurations were considered before the search ended; these are the best so far.")
              .arg(considered);
}

} // namespace

std::optional<BannerPart> foundBanner(const ReportData &data) {
    if (data.input.search == nullptr || !data.input.search->problem.empty())
        return std::nullopt;
    const SearchAnswer &answer = *data.input.search;
    ConfigurationSelection selection;
    selection.setAnswer(data.input.search);
    selection.setPresentWarned(
        std::any_of(data.result().diagnostics.begin(), data.result().diagnostics.end(),
                    [](const Diagnostic &diagnostic) { return diagnostic.severity != Severity::hint; }));
    const LayoutRow *const offered = answer.fits ? answer.offeredRow() : nullptr;
    if (offered == nullptr) {
        const FoundText text = nothingFitsText(selection);
        QString words = text.words;
        return BannerPart{text.tone, words,
                          sentencesOf({plain(text.changes), plain(text.why),
                                       answer.wider.empty() ? QString() : plain(widerText(selection))})};
    }
    const FoundText text = foundText(selection, *offered, true);
    const QString label = QStringList{text.lead, plain(text.figure), text.words}.join(QLatin1Char(' ')).simplified();
    if (!text.applies)
        return BannerPart{text.tone, label, sentencesOf({plain(text.changes), plain(text.merit), plain(text.plan)})};
    const QString caution = text.caution.isEmpty() ? QString() : QStringLiteral("Cannot be run: ") + text.caution;
    return BannerPart{text.tone, label,
                      sentencesOf({plain(text.changes), effectOf(answer, offered->entry), plain(text.merit),
                                   plain(text.plan), caution})};
}

ReportSection searchSection(const ReportDataPointer &data) {
    ReportSection section{ReportChapter::search, titleOf(ReportChapter::search), {}, {}};
    if (data->input.search == nullptr || data->input.search->rows.empty())
        return section;
    const SearchAnswer &answer = *data->input.search;
    section.note = answer.fits
        ? QStringLiteral("for this cluster, model and batch, ranked by run time")
        : QStringLiteral("no configuration fits; these are the fastest configurations that do not fit");
    if (std::optional<BannerPart> found = foundBanner(*data))
        section.parts.emplace_back(std::move(*found));
    section.parts.emplace_back(TextPart{spaceText(answer.found)});
    const ChartView view = frontView(answer);
    section.parts.emplace_back(PicturePart{
        .title = QStringLiteral("Step time and memory headroom of the configurations found"),
        .caption = QStringLiteral("Step time and memory headroom of the configurations found. Filled dots on the line "
                                  "are the Pareto front: no other configuration is better in both.")
            + (view.hatched ? QStringLiteral(" The hatched area is the headroom that the search keeps free.")
                            : QString()),
        .minHeight = 170,
        .maxHeight = 300,
        .paint = [view](Paper &paper, const QRectF &area) { paintChart(paper, area, view); },
        .legend = {},
        .values = {}});
    section.parts.emplace_back(bestTable(answer));
    return section;
}

} // namespace meshwright
