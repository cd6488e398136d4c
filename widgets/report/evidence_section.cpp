// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evidence_of_result.h"
#include "figures/figure_text.h"
#include "report/paper_chart.h"
#include "report/report_sections.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace meshwright {
namespace {

QString percentOf(double error) {
    return (error > 0 ? QStringLiteral("+") : QString()) + shareText(error);
}

/// Chart of how much longer runs took than predicted, by their distance from the plan. The band is the interval of the
/// step time.
ChartView errorView(const Result &result) {
    const auto percent = [](double value) { return percentOf(value); };
    ChartView view{.titles = AxisTitles::Shown, .grid = Grid::Both};
    QVector<QPointF> points;
    double farthest = 0;
    double lowest = std::min(0.0, result.step.low_seconds / result.step.seconds - 1);
    double highest = std::max(0.0, result.step.high_seconds / result.step.seconds - 1);
    for (const SimilarRun &run : result.evidence) {
        const double error = run.measured_seconds / run.predicted_seconds - 1;
        points.append({run.distance, error});
        farthest = std::max(farthest, run.distance);
        lowest = std::min(lowest, error);
        highest = std::max(highest, error);
    }
    view.x = {.title = QStringLiteral("distance from this plan (0: the same run)"),
              .low = 0,
              .high = std::max(0.1, farthest * 1.05)};
    view.y = {.title = QStringLiteral("measured / predicted step time − 1"),
              .unit = {0.01, QStringLiteral("%")},
              .text = percent,
              .unitOnTicks = true};
    spanLinear(view.y, lowest * 1.1, highest * 1.1);
    const double low = result.step.low_seconds / result.step.seconds - 1;
    const double high = result.step.high_seconds / result.step.seconds - 1;
    view.bands.append(
        {.upper = {{view.x.low, high}, {view.x.high, high}}, .lower = {{view.x.low, low}, {view.x.high, low}}});
    view.dots.append({.points = points, .ink = ColourRole::Accent, .radius = 2.75});
    return view;
}

TablePart nearestTable(const Result &result) {
    constexpr std::size_t most = 12;
    TablePart table{{{QStringLiteral("nearest measured runs"), 3, Qt::AlignLeft},
                     {QStringLiteral("source"), 4.4, Qt::AlignLeft},
                     {QStringLiteral("measured step"), 1.2},
                     {QStringLiteral("predicted"), 1.2},
                     {QStringLiteral("error"), 1},
                     {QStringLiteral("measured memory"), 1.2},
                     {QStringLiteral("predicted"), 1.2},
                     {QStringLiteral("distance"), 1}},
                    {}};
    const auto bytes = [](const std::optional<double> &value) {
        return value ? figureText(*value, Quantity::bytes) : QStringLiteral("\u2013");
    };
    for (std::size_t i = 0; i < std::min(most, result.evidence.size()); ++i) {
        const SimilarRun &run = result.evidence[i];
        table.rows.push_back(
            {shownName(QString::fromStdString(run.model.empty() ? run.id : run.model)),
             shownName(QString::fromStdString(run.source)), figureText(run.measured_seconds, Quantity::seconds),
             figureText(run.predicted_seconds, Quantity::seconds), percentOf(run.error()), bytes(run.measured_bytes),
             bytes(run.predicted_bytes), QString::number(run.distance, 'f', 2)});
    }
    return table;
}

SentenceText intervalSentence(const Result &result) {
    const Step &step = result.step;
    const Memory &memory = result.memory;
    SentenceText text = filled(
        QStringLiteral("Eight of ten runs like this one are within these intervals: step time %1 to %2 (%3 to %4 times "
                       "the prediction)"),
        said(figureText(step.low_seconds, Quantity::seconds), "step.low_seconds"),
        said(figureText(step.high_seconds, Quantity::seconds), "step.high_seconds"),
        QString::number(step.low_seconds / step.seconds, 'f', 2),
        QString::number(step.high_seconds / step.seconds, 'f', 2));
    if (memory.high_bytes > memory.low_bytes)
        text += filled(QStringLiteral(", peak memory %1 to %2"), figureText(memory.low_bytes, Quantity::bytes),
                       figureText(memory.high_bytes, Quantity::bytes));
    if (const std::optional<double> fits = fit_probability(result))
        text += filled(QStringLiteral("; the plan fits with a probability of %1"), shareText(*fits));
    return text + QStringLiteral(". The intervals of run time and rental cost follow from the step time interval.");
}

} // namespace

ReportSection evidenceSection(const ReportDataPointer &data) {
    const Result &result = data->result();
    ReportSection section{ReportChapter::evidence,
                          titleOf(ReportChapter::evidence),
                          QStringLiteral("from the prediction errors on the nearest measured runs"),
                          {}};
    if (result.evidence.empty() || result.step.high_seconds <= result.step.low_seconds)
        return section;
    section.parts.emplace_back(TextPart{intervalSentence(result)});
    const ChartView view = errorView(result);
    section.parts.emplace_back(
        PicturePart{.title = QStringLiteral("Measured vs. predicted step time of the nearest runs"),
                    .caption = QStringLiteral(
                        "How much longer than predicted the nearest measured runs took, plotted against their distance "
                        "from this plan. The band is the 80% interval of this plan's step time; nearer runs "
                        "count more."),
                    .minHeight = 170,
                    .maxHeight = 280,
                    .paint = [view](Paper &paper, const QRectF &area) { paintChart(paper, area, view); },
                    .legend = {},
                    .values = {}});
    section.parts.emplace_back(nearestTable(result));
    return section;
}

} // namespace meshwright
