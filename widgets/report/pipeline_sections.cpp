// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/pipeline_sections.h"

#include "canvases/axis.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "gantt/schedule_names.h"
#include "input/diagnostic.h"
#include "memory/memory_run.h"
#include "memory/peak_derivation.h"
#include "report/chip_entries.h"
#include "report/timeline_paper.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_colours.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace meshwright {
namespace {

constexpr qreal Gutter = 34; ///< space for row names and axis values
constexpr qreal RulerHeight = 22;
constexpr qreal MaxRows = 430; ///< maximum height of all rows
constexpr qreal MemoryHeight = 210;
constexpr std::size_t MaxTensors = 18;
constexpr double Headroom = 1.06;

/// The simulation that both sections share.
struct ExecutedPlan {
    std::shared_ptr<const ScheduleRun> run;
    PipelineTimeline timeline;
    MemoryRun held; ///< memory of the rank with the highest peak

    const MemoryTrace &memory() const { return *held.trace; }
};
using ExecutedPointer = std::shared_ptr<const ExecutedPlan>;

qreal rowsHeight(std::size_t ranks) {
    constexpr qreal high = 18;
    return std::min(MaxRows, high * static_cast<qreal>(ranks));
}

ReportBlock sentenceBlock(const SentenceText &sentence) {
    const std::vector<SentenceText> lines = saidLines(sentence, paper::ContentWidth, TypeRole::Body);
    return {.height = Theme::lineHeight(TypeRole::Body) * static_cast<qreal>(lines.size()) + 4,
            .paint = [lines](Paper &paper, qreal x, qreal y) {
                paper.say(x, y, lines, TypeRole::Body, ColourRole::Text2);
            }};
}

ReportBlock rowsBlock(const ExecutedPointer &plan) {
    const std::size_t ranks = plan->timeline.model->tracks.size();
    const qreal rows = rowsHeight(ranks);
    const auto paint = [plan, ranks, rows](Paper &paper, qreal x, qreal y) {
        const QRectF plot(x + Gutter, y, paper::ContentWidth - Gutter, rows);
        paintTimelineRows(paper.painter(), plot, *plan->timeline.model, paper.theme());
        const qreal pitch = rows / static_cast<qreal>(ranks);
        const qreal line = Theme::lineHeight(TypeRole::Caption);
        const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(line / pitch)));
        for (std::size_t rank = 0; rank < ranks; rank += every)
            paper.text(x + Gutter - 6, y + pitch * (static_cast<qreal>(rank) + 0.44) - line / 2, QString::number(rank),
                       TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, Qt::AlignRight);
        paintRuler(paper.painter(), QRectF(plot.left(), plot.bottom() + 2, plot.width(), RulerHeight - 2),
                   plan->timeline.model->whole, paper.theme(), RulerSide::BelowPlot);
    };
    return {.height = rows + RulerHeight, .paint = paint, .staysWithNext = true, .states = true};
}

/// The fraction of all ranks' time that a style of the timeline takes.
Derivation shareOfStyle(const ExecutedPlan &plan, const QString &path, const std::string &style, double seconds) {
    const double makespan = plan.run->pipeline->timeline.makespan;
    const auto ranks = static_cast<double>(plan.timeline.model->tracks.size());
    return derived({identifier(path.toStdString()), "fraction of all ranks' time: " + style, Quantity::share},
                   seconds / (ranks * makespan), "seconds / (ranks * makespan)", "of the simulated pipeline",
                   {by_simulation({"seconds", style + ", sum over all ranks", Quantity::seconds}, seconds, "execute",
                                  "every operation and idle time of the simulated pipeline", {}),
                    plan_field({"ranks", "pipeline ranks", Quantity::count}, ranks, "/parallelism/pipeline"),
                    reference_to("schedule_makespan_seconds",
                                 {"makespan", "makespan of the simulated pipeline", Quantity::seconds}, makespan)});
}

/// Legend of all styles that occur, with their fractions of all ranks' time.
ReportBlock stylesBlock(const ExecutedPlan &plan, std::vector<ReportDerivation> &derivations) {
    const TimelineModel &model = *plan.timeline.model;
    const TimelineColours colours(model, Theme::paper(), 1);
    StyleSeconds all;
    for (const TimelineTrack &track : model.tracks) {
        const StyleSeconds seconds = track.secondsIn(model.whole);
        for (std::size_t style = 0; style < MaxTimelineStyles; ++style)
            all.of[style] += seconds.of[style];
    }
    std::vector<ChipEntry> entries;
    for (std::size_t style = 1; style < model.styles.size(); ++style) {
        if (!(all.of[style] > 0))
            continue;
        const QString path = QStringLiteral("schedule.styles.%1.share").arg(style);
        const QString &name = model.styles[style].name;
        derivations.push_back({path, shareOfStyle(plan, path, name.toStdString(), all.of[style])});
        entries.push_back(
            {QColor(colours.styles[style].hatched ? colours.styles[style].mean : colours.styles[style].fill[0]), name,
             shareText(derivations.back().derivation.value), path});
    }
    return chipEntries(entries);
}

ReportSection pipelineSection(const ExecutedPointer &plan, std::vector<ReportDerivation> &derivations) {
    const Timeline &timeline = plan->run->pipeline->timeline;
    ReportSection section{QStringLiteral("Pipeline timeline"),
                          QStringLiteral("simulation of every operation with the times of its stage; one row per rank"),
                          {},
                          SectionStart::OwnPage};
    const QString makespan = durationText(timeline.makespan);
    const QString idle = shareText(plan->run->pipeline->idle.of_all_ranks());
    const QString ofIdeal = shareText(timeline.bubble_of_ideal());
    const QString ofTotal = shareText(timeline.bubble_of_total());
    const QString ofSpan = shareText(timeline.bubble_of_span());
    const QString peak = figureText(plan->run->peakBytes(), Quantity::bytes);
    section.blocks.push_back(sentenceBlock(
        filled(QStringLiteral("%1: ranks are idle for %2 of the time; makespan %3; bubble %4 of ideal, %5 of total and "
                              "%6 of the busiest rank's span; peak memory %7 on rank %8."),
               scheduleText(plan->run->plan.parallelism.schedule), said(idle, "schedule.idle_of_all_ranks"),
               said(makespan, "schedule.makespan_seconds"), said(ofIdeal, "schedule.bubble_of_ideal"),
               said(ofTotal, "schedule.bubble_of_total"), said(ofSpan, "schedule.bubble_of_span"),
               said(peak, "schedule.peak_bytes"), plan->run->peakRank())));
    section.blocks.back().staysWithNext = true;
    section.blocks.push_back(rowsBlock(plan));
    section.blocks.push_back(stylesBlock(*plan, derivations));
    return section;
}

void paintMemoryAxis(Paper &paper, const QRectF &plot, double highest, double capacity) {
    const AxisUnit unit = byteUnit(highest);
    const QVector<double> ticks = niceTicks(highest / unit.size, 5);
    const double step = ticks.size() > 1 ? ticks[1] : 1;
    const qreal half = Theme::lineHeight(TypeRole::Caption) / 2.0;
    const auto yOf = [&](double bytes) { return plot.bottom() - plot.height() * bytes / highest; };
    for (const double tick : ticks) {
        const qreal y = yOf(tick * unit.size);
        paper.rule(plot.left(), y, plot.width());
        paper.text(plot.left() - 6, y - half, tickText(tick, step), TypeRole::Caption, ColourRole::Text3,
                   TextWeight::Regular, Qt::AlignRight);
    }
    paper.text(plot.left() - 6, plot.top() - half, unit.name, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular,
               Qt::AlignRight);
    paper.painter().fillRect(QRectF(plot.left(), yOf(capacity) - 0.5, plot.width(), 1),
                             paper.theme().colour(ColourRole::Text));
    paper.text(plot.right(), yOf(capacity) - 2 * half,
               QStringLiteral("capacity %1").arg(figureText(capacity, Quantity::bytes)), TypeRole::Caption,
               ColourRole::Text2, TextWeight::Regular, Qt::AlignRight);
    const QString value = figureText(capacity, Quantity::bytes);
    paper.link(plot.right(), yOf(capacity) - 2 * half, said(value, "memory.capacity_bytes"), TypeRole::Caption,
               TextWeight::Regular, Qt::AlignRight);
}

ReportBlock memoryBlock(const ExecutedPointer &plan) {
    const auto paint = [plan](Paper &paper, qreal x, qreal y) {
        const MemoryTrace &trace = plan->memory();
        const QRectF plot(x + Gutter, y + 8, paper::ContentWidth - Gutter, MemoryHeight);
        const double capacity = trace.memory().capacity_bytes;
        const double highest = std::max(capacity, trace.peak().total()) * Headroom;
        paintStackedArea(paper.painter(), plot, trace, highest, paper.theme());
        paintMemoryAxis(paper, plot, highest, capacity);
        paintRuler(paper.painter(), QRectF(plot.left(), plot.bottom() + 2, plot.width(), RulerHeight - 2),
                   trace.whole(), paper.theme(), RulerSide::BelowPlot);
    };
    return {.height = MemoryHeight + RulerHeight + 10, .paint = paint, .staysWithNext = true, .states = true};
}

/// Adds a derivation of the memory view. @returns the figure to link to: the plan's own figure if there is one
FigureRef addPeakDerivation(const ExecutedPlan &plan, const Result &result, const QString &figure,
                            std::vector<ReportDerivation> &derivations) {
    const FigureRef path = FigureRef::ofView(figure, FigureView::memory);
    std::optional<Derivation> made = peakDerivation(figure, plan.held, &result);
    if (made && made->inputs.empty() && !made->figure.empty())
        return referredFrom(path, made->figure);
    if (made)
        derivations.push_back({path, std::move(*made)});
    return path;
}

/// The tensors in memory at the peak, largest first.
ReportBlock tensorsBlock(const ExecutedPlan &plan, const Result &result, std::vector<ReportDerivation> &derivations) {
    const std::vector<HeldTensors> &held = plan.memory().memory().peak_tensors;
    std::vector<ChipEntry> tensors;
    std::vector<Derivation> rest;
    for (std::size_t i = 0; i < held.size(); ++i) {
        const QString figure = QStringLiteral("tensors_%1").arg(i);
        if (i >= MaxTensors) {
            rest.push_back(*peakDerivation(figure, plan.held, &result));
            continue;
        }
        tensors.push_back({Theme::paper().fill(stepMemoryColour(held[i].kind)), QString::fromStdString(held[i].name),
                           figureText(held[i].bytes, Quantity::bytes),
                           addPeakDerivation(plan, result, figure, derivations)});
    }
    if (!rest.empty()) {
        const FigureRef path = FigureRef::ofView(QStringLiteral("tensors_rest"), FigureView::memory);
        derivations.push_back({path,
                               sum_of({"tensors_rest", "all smaller tensors", Quantity::bytes},
                                      "tensors in memory at the peak other than the largest", std::move(rest))});
        tensors.push_back({Theme::paper().fill(Kind::Grey), QStringLiteral("all smaller tensors"),
                           figureText(derivations.back().derivation.value, Quantity::bytes), path});
    }
    return chipEntries(tensors);
}

ReportSection stepMemorySection(const ExecutedPointer &plan, const Result &result,
                                std::vector<ReportDerivation> &derivations) {
    const StepMemory &memory = plan->memory().memory();
    const QString peak = figureText(plan->memory().peak().total(), Quantity::bytes);
    const QString time = durationText(plan->memory().peak().seconds);
    ReportSection section{
        QStringLiteral("Memory over a step"),
        filled(QStringLiteral("rank %1, which has the highest peak: %2 at %3, %4"), plan->held.rank,
               said(peak, addPeakDerivation(*plan, result, QStringLiteral("peak_bytes"), derivations)),
               said(time, addPeakDerivation(*plan, result, QStringLiteral("peak_seconds"), derivations)),
               QString::fromStdString(memory.operation(memory.peak))),
        {}};
    section.blocks.push_back(memoryBlock(plan));
    section.blocks.push_back(tensorsBlock(*plan, result, derivations));
    return section;
}

} // namespace

PipelineReport pipelineReport(const Result &result, const std::shared_ptr<const ScheduleRun> &run) {
    auto plan = std::make_shared<ExecutedPlan>(ExecutedPlan{run, {}, {}});
    QString problem = plan->run->problem;
    if (plan->run->pipeline != nullptr) {
        plan->timeline = timelineOf(*plan->run->pipeline, {});
        plan->held.plan = result.plan;
        plan->held.rank = static_cast<int>(plan->run->peakRank());
        try {
            plan->held.trace = std::make_shared<const MemoryTrace>(
                step_memory(result.plan, *plan->run->pipeline, static_cast<std::int64_t>(plan->run->peakRank())));
            PipelineReport report;
            report.sections.push_back(pipelineSection(plan, report.derivations));
            report.sections.push_back(stepMemorySection(plan, result, report.derivations));
            return report;
        } catch (const InputError &error) {
            problem = QString::fromStdString(error.diagnostics().front().message.text);
        }
    }
    ReportSection section{QStringLiteral("Pipeline timeline"), QStringLiteral("not simulated"), {}};
    section.blocks.push_back(sentenceBlock(problem));
    return {{section}, {}};
}

} // namespace meshwright
