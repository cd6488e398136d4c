// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/stacked_bars_painter.h"
#include "canvases/stacked_segment_paint.h"
#include "figures/figure_text.h"
#include "report/report_sections.h"
#include "views/view_mapping.h"

#include <algorithm>

namespace meshwright {
namespace {

/// Maximum bars per chart, which fill a page at a legible height. More stages continue in another chart.
constexpr qsizetype MaxBars = 96;

/// Row height on paper: lower than on screen as long as labels still fit on two lines.
qreal pitchOnPaper(int rows) {
    return rows <= 2 ? 42 : rows <= 4 ? 38 : rows > 8 && rows <= 16 ? 20 : std::max<qreal>(preferredPitch(rows), 9);
}

StackedBarsView barsOf(const MemoryBarsView &all, qsizetype first, qsizetype count) {
    MemoryBarsView some = all;
    some.bars = all.bars.mid(first, count);
    return MemoryBars::stacked(some);
}

/// @param figures  figure of the total of each row
ReportBlock chartBlock(const StackedBarsView &view, const QList<FigureRef> &figures) {
    const int rows = int(view.rows.size());
    const qreal height = preferredHeight(view) - rows * preferredPitch(rows) + rows * pitchOnPaper(rows);
    return {
        .height = height + 4,
        .paint =
            [view, height, figures](Paper &paper, qreal x, qreal y) {
                const StackedColumns columns = StackedBarsPainter::columns(view, paper.theme());
                const StackedBarsLayout layout = layoutStackedBars(view, QSizeF(paper::ContentWidth, height), columns);
                QPainter &painter = paper.painter();
                painter.save();
                painter.translate(x, y);
                StackedBarsPainter(view, paper.theme()).paint(painter, layout);
                painter.restore();
                paper.states(QRectF(x, y, layout.scale.left, height)); // row names and the scale below
                paper.states(QRectF(x, y + layout.rows.bottom(), paper::ContentWidth, height - layout.rows.bottom()));
                if (view.capacity) {
                    constexpr qreal reach = 130; // width of its label to either side
                    const qreal limit = x + layout.scale.toX(*view.capacity);
                    const qreal left = std::max(x + layout.scale.left, limit - reach);
                    const qreal right = std::min(x + paper::ContentWidth, limit + reach);
                    paper.link(QRectF(left, y, right - left, layout.rows.top()),
                               QStringLiteral("memory.capacity_bytes"));
                }
                for (int row = 0; row < layout.rowCount; ++row)
                    paper.link(QRectF(x + layout.scale.left, y + layout.rows.top() + row * layout.pitch,
                                      paper::ContentWidth - layout.scale.left, layout.barHeight),
                               figures.value(row));
            },
        .staysWithNext = true};
}

// --- Legend with values ----------------------------------------------------------------------------------------------

/// A segment of a bar with its value.
struct ValueEntry {
    StackedSegment segment;
    QString value;
    FigureRef figure;
};

void paintEntry(Paper &paper, const ValueEntry &entry, qreal x, qreal y, qreal width) {
    const Theme &theme = paper.theme();
    const QRectF chip(x, y + 2, 10, 10);
    if (entry.segment.fill == SegmentFill::Hatched)
        segments::absent(paper.painter(), chip, theme.colour(ColourRole::Text3), theme.colour(ColourRole::Card));
    else
        segments::fill(paper.painter(), chip, entry.segment, theme.fill(entry.segment.kind), theme);
    paper.text(x + 16, y, entry.segment.name, TypeRole::Caption, ColourRole::Text2);
    paper.text(x + width, y, entry.value, TypeRole::Caption, ColourRole::Text, TextWeight::SemiBold, Qt::AlignRight);
    paper.link(x + width, y, said(entry.value, entry.figure), TypeRole::Caption, TextWeight::SemiBold, Qt::AlignRight);
}

ReportBlock legendBlock(const std::vector<ValueEntry> &entries) {
    constexpr int columns = 3;
    constexpr qreal gap = 24;
    constexpr qreal pitch = 16;
    const int rows = (int(entries.size()) + columns - 1) / columns;
    return {.height = rows * pitch,
            .paint =
                [entries, rows](Paper &paper, qreal x, qreal y) {
                    const qreal width = (paper::ContentWidth - gap * (columns - 1)) / columns;
                    for (int i = 0; i < int(entries.size()); ++i) {
                        const int column = i / rows;
                        const int row = i % rows;
                        paintEntry(paper, entries[size_t(i)], x + column * (width + gap), y + row * pitch, width);
                    }
                },
            .staysWithNext = false};
}

} // namespace

ReportSection memorySection(const Result &result) {
    const Memory &memory = result.memory;
    QString note = QStringLiteral("by stage, at peak");
    if (!memory.peak_operation.empty())
        note += QStringLiteral(" (stage ") + QString::number(memory.peak_stage) + QStringLiteral(", ")
            + QString::fromStdString(memory.peak_operation) + QLatin1Char(')');
    ReportSection section{QStringLiteral("Memory per accelerator"), note, {}};
    const MemoryBarsView all = memoryBarsView(memory);
    for (qsizetype first = 0; first < all.bars.size(); first += MaxBars) {
        QList<FigureRef> figures;
        for (qsizetype stage = first; stage < std::min(first + MaxBars, all.bars.size()); ++stage)
            figures << QStringLiteral("memory.stages.%1.total_bytes").arg(stage);
        section.blocks.push_back(chartBlock(barsOf(all, first, MaxBars), figures));
        section.blocks.back().staysWithNext = first + MaxBars >= all.bars.size();
    }
    if (memory.peak_stage >= all.bars.size())
        return section;
    std::vector<ValueEntry> entries;
    const StackedBarsView fullest = barsOf(all, memory.peak_stage, 1);
    const QVector<StackedSegment> &segments = fullest.rows.front().segments;
    for (qsizetype kind = 0; kind < segments.size(); ++kind)
        if (segments[kind].value > 0)
            entries.push_back({segments[kind], figureText(segments[kind].value, Quantity::bytes),
                               figurePathOf(static_cast<int>(memory.peak_stage), static_cast<MemoryKind>(kind))});
    section.blocks.push_back(legendBlock(entries));
    return section;
}

ReportSection stepSection(const Result &result) {
    ReportSection section{
        QStringLiteral("Step time"), QStringLiteral("the terms add up; overlapped time is excluded"), {}};
    const StackedBarsView bar = StepBar::stacked(stepBarView(result));
    section.blocks.push_back(chartBlock(bar, {QStringLiteral("step.seconds")}));
    std::vector<ValueEntry> entries;
    const QVector<StackedSegment> &segments = bar.rows.front().segments;
    for (qsizetype term = 0; term < segments.size(); ++term) {
        const StackedSegment &segment = segments[term];
        if (segment.value <= 0)
            continue;
        const double share = result.step.seconds > 0 ? segment.value / result.step.seconds : 0;
        entries.push_back({segment,
                           figureText(segment.value, Quantity::seconds) + QStringLiteral("   ")
                               + QString::number(share * 100, 'f', 1) + QStringLiteral(" %"),
                           figurePathOf(QString::fromStdString(step_term_names()[static_cast<std::size_t>(term)]))});
    }
    section.blocks.push_back(legendBlock(entries));
    return section;
}

} // namespace meshwright
