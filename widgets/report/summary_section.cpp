// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/verdict.h"
#include "published/published_card.h"
#include "report/report_sections.h"

#include <algorithm>
#include <optional>

namespace meshwright {
namespace {

QString text(const std::string &utf8) {
    return shownName(QString::fromStdString(utf8));
}

// --- Title and verdict -----------------------------------------------------------------------------------------------

QString subtitle(const Plan &plan) {
    const QString accelerator =
        text(plan.cluster.accelerator.name.empty() ? plan.cluster.accelerator_id : plan.cluster.accelerator.name);
    const QString machines = plan.cluster.sites > 1 ? countText(double(plan.cluster.sites))
            + QStringLiteral(" sites of ") + countText(double(plan.cluster.site_accelerators()))
                                                    : countText(double(plan.cluster.accelerators()));
    return text(plan.model.name.empty() ? plan.model_id : plan.model.name) + QStringLiteral(" on ") + machines
        + QStringLiteral(" \u00d7 ") + accelerator;
}

TitlePart titlePart(const ReportData &data) {
    QStringList asides;
    if (data.input.date.isValid())
        asides << data.input.date.toString(Qt::ISODate);
    if (!data.input.file.isEmpty())
        asides << shownName(data.input.file);
    asides << QStringLiteral("Meshwright ") + data.input.version;
    return {data.title(), subtitle(data.plan()), asides};
}

Tone verdictTone(const Result &result) {
    if (!result.verdict.fits)
        return Tone::Bad;
    constexpr double tight = 0.05; // headroom as a fraction of the capacity, below which a fit is tight
    return result.verdict.headroom_bytes < tight * result.memory.capacity_bytes ? Tone::Warn : Tone::Good;
}

BannerPart verdictPart(const Result &result) {
    const Tone tone = verdictTone(result);
    const QString verdict = tone == Tone::Bad ? QStringLiteral("Does not fit")
        : tone == Tone::Warn                  ? QStringLiteral("Fits, tight")
                                              : QStringLiteral("Fits");
    // Removes the first words of the sentence, which the label already shows.
    SentenceText sentence = shownText(result.verdict.summary);
    const QString first = verdict + QStringLiteral(": ");
    if (sentence.text.startsWith(first))
        sentence = capitalised(partOf(sentence, first.size(), sentence.text.size()));
    return {tone, verdict, sentence};
}

// --- Key figures -----------------------------------------------------------------------------------------------------

/// The interval of a figure that is proportional to the step time, scaled from the interval of the step time.
std::optional<KeyInterval> scaledInterval(const Step &step, double value, Quantity quantity, const char *lowFigure,
                                          const char *highFigure) {
    if (step.seconds <= 0 || step.high_seconds <= step.low_seconds)
        return std::nullopt;
    const double low = value * step.low_seconds / step.seconds;
    const double high = value * step.high_seconds / step.seconds;
    return KeyInterval{low, value, high, said(figureText(low, quantity), lowFigure),
                       said(figureText(high, quantity), highFigure)};
}

ReportKeyFigure memoryFigure(const Result &result) {
    const Memory &memory = result.memory;
    const double headroom = result.verdict.headroom_bytes;
    const bool over = headroom < 0;
    const FigureParts peak = figureParts(memory.peak_bytes, Quantity::bytes);
    const FigureParts capacity = figureParts(memory.capacity_bytes, Quantity::bytes);
    // For example "149.4 of 154.0 GB".
    const QString peakText = peak.unit == capacity.unit ? peak.figure : peak.figure + QLatin1Char(' ') + peak.unit;
    const QString capacityText = capacity.figure + QLatin1Char(' ') + capacity.unit;
    ReportKeyFigure space{.title = QStringLiteral("Memory"),
                          .figure = figureParts(std::abs(headroom), Quantity::bytes),
                          .words = over ? QStringLiteral("over") : QStringLiteral("free"),
                          .subline = filled(QStringLiteral("peak %1 of %2"), said(peakText, "memory.peak_bytes"),
                                            said(capacityText, "memory.capacity_bytes")),
                          .path = QStringLiteral("verdict.headroom_bytes"),
                          .tone = over ? Tone::Bad : Tone::Neutral};
    if (memory.low_bytes <= 0 || memory.high_bytes <= memory.low_bytes)
        return space;
    const double low = memory.capacity_bytes - memory.high_bytes;
    const double high = memory.capacity_bytes - memory.low_bytes;
    const SentenceText lowText = said(figureText(over ? -high : low, Quantity::bytes),
                                      over ? "verdict.high_headroom_bytes" : "verdict.low_headroom_bytes");
    const SentenceText highText = said(figureText(over ? -low : high, Quantity::bytes),
                                       over ? "verdict.low_headroom_bytes" : "verdict.high_headroom_bytes");
    space.interval = KeyInterval{over ? -high : low, std::abs(headroom), over ? -low : high, lowText, highText};
    return space;
}

KeyFiguresPart keyFigures(const Result &result) {
    const Step &step = result.step;
    const RunEstimate &run = result.run;
    const QString mfu = shareText(step.mfu);
    const QString hfu = shareText(step.hfu);
    const QString tokens = figureText(run.tokens, Quantity::tokens);
    const QString hours = figureText(run.accelerator_hours, Quantity::count);
    return {
        {memoryFigure(result),
         {.title = QStringLiteral("Step time"),
          .figure = figureParts(step.seconds, Quantity::seconds),
          .words = {},
          .subline = filled(QStringLiteral("MFU %1, HFU %2"), said(mfu, "step.mfu"), said(hfu, "step.hfu")),
          .path = QStringLiteral("step.seconds"),
          .interval = scaledInterval(step, step.seconds, Quantity::seconds, "step.low_seconds", "step.high_seconds")},
         {.title = QStringLiteral("Run time"),
          .figure = figureParts(run.seconds, Quantity::seconds),
          .words = {},
          .subline = filled(QStringLiteral("%1 tokens"), said(tokens, "run.tokens")),
          .path = QStringLiteral("run.seconds"),
          .interval = scaledInterval(step, run.seconds, Quantity::seconds, "run.low_seconds", "run.high_seconds")},
         {.title = QStringLiteral("Rental cost"),
          .figure = figureParts(run.rental_dollars, Quantity::dollars),
          .words = {},
          .subline = filled(QStringLiteral("%1 accelerator-hours"), said(hours, "run.accelerator_hours")),
          .path = QStringLiteral("run.rental_dollars"),
          .interval = scaledInterval(step, run.rental_dollars, Quantity::dollars, "run.low_rental_dollars",
                                     "run.high_rental_dollars")}}};
}

// --- Run and published figures ---------------------------------------------------------------------------------------

/// Facts of a group, except those shown elsewhere on the first page.
FactGroup without(FactGroup group, std::initializer_list<QLatin1String> paths) {
    std::erase_if(group.facts, [&](const ReportFact &fact) {
        return std::any_of(paths.begin(), paths.end(), [&](QLatin1String path) {
            return !fact.value.figures.empty() && figureOf(fact.value.figures.front().target).name() == path;
        });
    });
    return group;
}

ReportPart publishedTable(const Result &result, std::size_t most) {
    TablePart table{{{QStringLiteral("Published vs. predicted"), 2.6, Qt::AlignLeft},
                     {QStringLiteral("published")},
                     {QStringLiteral("predicted")},
                     {QStringLiteral("difference")},
                     {QStringLiteral("80% interval"), 1.2}},
                    {}};
    for (std::size_t i = 0; i < std::min(most, result.published.size()); ++i) {
        const PublishedComparison &comparison = result.published[i];
        const QString path = QStringLiteral("published.%1.").arg(QString::fromStdString(comparison.figure));
        const std::optional<bool> inside = comparison.inside();
        table.rows.push_back(
            {publishedName(comparison),
             said(publishedText(comparison.value, comparison.quantity), FigureRef(path + QStringLiteral("value"))),
             said(publishedText(comparison.predicted, comparison.quantity), QString::fromStdString(comparison.path)),
             said(publishedDifference(comparison), FigureRef(path + QStringLiteral("difference"))),
             !inside       ? QString()
                 : *inside ? QStringLiteral("inside")
                           : QStringLiteral("outside")});
    }
    return table;
}

/// Facts of the run next to the authors' published figures or, without published figures, next to its outer loop or
/// speed.
ReportPart runPart(const Result &result, const SummaryLimits &limits) {
    const FactGroup run = without(runGroup(result),
                                  {QLatin1String("run.tokens"), QLatin1String("run.accelerator_hours"),
                                   QLatin1String("run.rental_dollars"), QLatin1String("run.energy_dollars")});
    if (!result.published.empty()) {
        std::vector<ReportPart> right{publishedTable(result, limits.published)};
        if (result.plan.published.plan_changed)
            right.emplace_back(
                TextPart{QStringLiteral("Published figures refer to the original plan, without the changes."),
                         ColourRole::Text3});
        return ColumnsPart{{{1, {FactsPart{{{run}}}}}, {2, right}}};
    }
    const FactGroup second =
        result.outer ? outerGroup(*result.outer) : without(speedGroup(result), {QLatin1String("step.mfu")});
    return FactsPart{{{run}, {second}, {thresholdGroup(result)}}};
}

/// Adds errors, then warnings, then hints, as many as fit.
void addRisks(std::vector<ReportPart> &parts, const Result &result, std::size_t most) {
    const std::size_t shown = std::min(most, result.diagnostics.size());
    const std::size_t more = result.diagnostics.size() - shown;
    QString note = problemCounts(result.diagnostics);
    if (result.diagnostics.empty())
        note = QStringLiteral("no problems were found in this plan");
    else if (more > 0)
        note +=
            QStringLiteral("; the first %1 are listed here, and a separate section lists all of them with their fixes")
                .arg(shown);
    parts.emplace_back(HeadingPart{QStringLiteral("Risks"), note});
    std::vector<const Diagnostic *> order;
    for (const Diagnostic &diagnostic : result.diagnostics)
        order.push_back(&diagnostic);
    std::stable_sort(order.begin(), order.end(),
                     [](const Diagnostic *a, const Diagnostic *b) { return a->severity < b->severity; });
    for (std::size_t i = 0; i < shown; ++i) {
        ProblemPart problem = problemPart(*order[i], 1);
        problem.expected = {}; // the section on problems states the expected values next to the fixes
        parts.emplace_back(std::move(problem));
    }
}

} // namespace

ReportSection summarySection(const ReportDataPointer &data, const SummaryLimits &limits) {
    const Result &result = data->result();
    ReportSection section{ReportChapter::summary, {}, {}, {titlePart(*data), verdictPart(result), keyFigures(result)}};
    if (std::optional<BannerPart> found = foundBanner(*data)) {
        found->section = ReportChapter::search;
        section.parts.emplace_back(std::move(*found));
    }
    section.parts.emplace_back(
        ColumnsPart{{{1,
                      {HeadingPart{QStringLiteral("Memory per accelerator"),
                                   QStringLiteral("at the peak, stage %1").arg(result.memory.peak_stage)},
                       peakPicture(result)}},
                     {1,
                      {HeadingPart{QStringLiteral("Step time"), QStringLiteral("terms add up to the step time")},
                       stepPicture(result)}}}});
    section.parts.emplace_back(planFacts(result));
    section.parts.push_back(runPart(result, limits));
    addRisks(section.parts, result, limits.problems);
    return section;
}

} // namespace meshwright
