// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/axis.h"
#include "figures/figure_text.h"
#include "report/paper.h"
#include "report/report_sections.h"
#include "report/timeline_paper.h"
#include "timeline/time_ticks.h"
#include "views/view_mapping.h"

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

/// Maximum number of bars per chart, because more would not be legible on a page. Further stages continue in another
/// chart.
constexpr qsizetype maxBars = 88;
constexpr qreal AxisGutter = 34;

// --- By stage --------------------------------------------------------------------------------------------------------

QStringList stageNames(const Memory &memory) {
    QStringList names;
    for (const StageMemory &stage : memory.stages)
        names << QString::number(stage.stage);
    return names;
}

} // namespace

std::vector<PicturePart> stagePictures(const Result &result) {
    std::vector<PicturePart> pictures;
    const Memory &memory = result.memory;
    const MemoryBarsView all = memoryBarsView(memory);
    const StackedBarsView whole = MemoryBars::stacked(all);
    std::vector<LegendValue> legend = kindLegend(whole);
    legend.push_back({{QStringLiteral("Headroom"), Kind::Grey, SegmentFill::Hatched, {}}, {}, {}});
    for (qsizetype first = 0; first < all.bars.size(); first += maxBars) {
        MemoryBarsView some = all;
        some.bars = all.bars.mid(first, maxBars);
        const auto rows = static_cast<qreal>(some.bars.size());
        constexpr qreal ends = StackedBarsLayout::AxisHeight + StackedBarsLayout::CapacityHeight;
        const qreal minPitch = rows <= 4 ? 30 : rows <= 16 ? 15 : 10;
        const qreal maxPitch = rows <= 4 ? 40 : rows <= 16 ? 20 : 11;
        const bool isLast = first + maxBars >= all.bars.size();
        pictures.push_back(
            {.title = QStringLiteral("Memory per accelerator at its peak, by pipeline stage"),
             .caption =
                 filled(QStringLiteral("Memory per accelerator at its peak, by pipeline stage. The line is the "
                                       "capacity of %1; stage %2 has the highest peak, %3%4."),
                        said(figureText(memory.capacity_bytes, Quantity::bytes), "memory.capacity_bytes"),
                        memory.peak_stage, said(figureText(memory.peak_bytes, Quantity::bytes), "memory.peak_bytes"),
                        memory.peak_operation.empty()
                            ? QString()
                            : QStringLiteral(" at ") + QString::fromStdString(memory.peak_operation)),
             .minHeight = ends + rows * minPitch,
             .maxHeight = ends + rows * maxPitch,
             .paint = [view = MemoryBars::stacked(some)](Paper &paper,
                                                         const QRectF &area) { paintBars(paper, area, view); },
             .legend = isLast ? legend : std::vector<LegendValue>(),
             .legendColumns = 5,
             .values = isLast ? segmentTable(QStringLiteral("stage"), stageNames(memory), whole, Quantity::bytes)
                              : TablePart{}});
    }
    return pictures;
}

namespace {

// --- Over a step -----------------------------------------------------------------------------------------------------

void paintGrid(Paper &paper, const QRectF &plot, double highest) {
    const AxisUnit unit = byteUnit(highest);
    const QVector<double> ticks = niceTicks(highest / unit.size, 5);
    const double step = ticks.size() > 1 ? ticks[1] : 1;
    const qreal half = Theme::lineHeight(TypeRole::Caption) / 2.0;
    for (const double tick : ticks) {
        const qreal y = plot.bottom() - plot.height() * tick * unit.size / highest;
        paper.rule(plot.left(), y, plot.width(), ColourRole::Grid);
        if (y - half > plot.top() + half) // leaves room for the unit at the top
            paper.text(plot.left() - 6, y - half, tickText(tick, step), TypeRole::Caption, ColourRole::Text3,
                       TextWeight::Regular, Qt::AlignRight);
    }
    paper.text(plot.left() - 6, plot.top() - half, unit.name, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular,
               Qt::AlignRight);
}

void paintCapacity(Paper &paper, const QRectF &plot, qreal y, double capacity) {
    const qreal half = Theme::lineHeight(TypeRole::Caption) / 2.0;
    paper.painter().fillRect(QRectF(plot.left(), y - 0.5, plot.width(), 1), paper.theme().colour(ColourRole::Text));
    const QString label = QStringLiteral("capacity %1").arg(figureText(capacity, Quantity::bytes));
    const QRectF place(plot.right() - paperWidth(label, TypeRole::Caption) - 4, y - 2 * half - 1,
                       paperWidth(label, TypeRole::Caption) + 4, 2 * half);
    paper.painter().fillRect(place,
                             paper.theme().colour(ColourRole::Card)); // the area may extend above the capacity line
    paper.text(plot.right() - 2, place.top(), label, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular,
               Qt::AlignRight);
}

void paintOverStep(Paper &paper, const QRectF &area, const MemoryTrace &trace) {
    constexpr double above =
        1.08; // height of the axis as a multiple of the capacity; leaves room for the capacity's label
    const QRectF plot(area.left() + AxisGutter, area.top() + 6, area.width() - AxisGutter,
                      area.height() - PaperRulerHeight - 6);
    const double capacity = trace.memory().capacity_bytes;
    const double highest = std::max(capacity * above, trace.peak().total() * 1.03);
    paintGrid(paper, plot, highest);
    paintStackedArea(paper.painter(), plot, trace, highest, paper.theme());
    paintCapacity(paper, plot, plot.bottom() - plot.height() * capacity / highest, capacity);
    paintRuler(paper.painter(), QRectF(plot.left(), plot.bottom() + 2, plot.width(), PaperRulerHeight - 2),
               trace.whole(), paper.theme(), RulerSide::BelowPlot);
}

/// The tensors in memory at the peak, largest first; the smallest are combined in one entry.
std::vector<LegendValue> tensorLegend(const StepMemory &memory) {
    constexpr std::size_t maxTensors = 15;
    const std::vector<PeakTensors> &held = memory.peak_tensors;
    std::vector<LegendValue> legend;
    double rest = 0;
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (i + 1 > maxTensors - (held.size() > maxTensors ? 1 : 0)) {
            rest += held[i].bytes;
            continue;
        }
        legend.push_back({{QString::fromStdString(held[i].name), stepMemoryColour(held[i].kind), SegmentFill::Solid,
                           stepMemoryLetter(held[i].kind)},
                          figureText(held[i].bytes, Quantity::bytes),
                          {}});
    }
    if (rest > 0)
        legend.push_back({{QStringLiteral("all smaller tensors"), Kind::Grey, SegmentFill::Hatched, {}},
                          figureText(rest, Quantity::bytes),
                          {}});
    return legend;
}

void addOverStep(ReportSection &section, const ReportDataPointer &data) {
    const MemoryTrace &trace = *data->pipeline.held.trace;
    const StepMemory &memory = trace.memory();
    section.parts.emplace_back(PicturePart{
        .title = QStringLiteral("Memory over a step"),
        .caption =
            filled(QStringLiteral("Memory over a step on rank %1, which has the highest peak: %2 at %3, %4. The list "
                                  "names the tensors in memory at that moment; a letter gives the kind of each: %5."),
                   data->pipeline.held.rank, figureText(trace.peak().total(), Quantity::bytes),
                   durationText(trace.peak().seconds), QString::fromStdString(memory.operation(memory.peak)),
                   [] {
                       QStringList kinds;
                       for (std::size_t kind = step_memory_kind_count; kind-- > 0;)
                           kinds << stepMemoryLetter(static_cast<StepMemoryKind>(kind)) + QLatin1Char(' ')
                                   + stepMemoryKindText(static_cast<StepMemoryKind>(kind));
                       return kinds.join(QStringLiteral(", "));
                   }()),
        .minHeight = 170,
        .maxHeight = 300,
        .paint = [data](Paper &paper, const QRectF &area) { paintOverStep(paper, area, *data->pipeline.held.trace); },
        .legend = tensorLegend(memory),
        .values = {}});
}

} // namespace

ReportSection memorySection(const ReportDataPointer &data) {
    const Result &result = data->result();
    ReportSection section{ReportChapter::memory,
                          titleOf(ReportChapter::memory),
                          QStringLiteral("per accelerator: where it peaks and what it contains"),
                          {}};
    if (result.memory.stages.size() > 1)
        for (PicturePart &picture : stagePictures(result))
            section.parts.emplace_back(std::move(picture));
    if (data->pipeline.held.trace != nullptr)
        addOverStep(section, data);
    return section;
}

} // namespace meshwright
