// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/stacked_bars_painter.h"
#include "figures/figure_text.h"
#include "report/paper.h"
#include "report/report_sections.h"
#include "views/view_mapping.h"

#include <algorithm>

namespace meshwright {
namespace {

/// Removes the name and total next to a single bar, because the heading and the legend show them.
StackedBarsView bareBar(StackedBarsView view) {
    for (StackedRow &row : view.rows) {
        row.label.clear();
        row.sublabel.clear();
        row.total.clear();
        row.note.clear();
    }
    return view;
}

PicturePart barPicture(const QString &title, const StackedBarsView &view, const FigureRef &total) {
    constexpr qreal barHeight = 30;
    const qreal height =
        barHeight + StackedBarsLayout::AxisHeight + (view.capacity ? StackedBarsLayout::CapacityHeight : 0);
    const auto paint = [view, total](Paper &paper, const QRectF &area) {
        // A bar without a capacity label above it is moved down by the label's height, so that the page's two bars are
        // aligned.
        const qreal above = view.capacity ? 0 : StackedBarsLayout::CapacityHeight;
        const QRectF place = area.adjusted(0, above, 0, 0);
        const StackedBarsLayout layout = layoutStackedBars(view, place.size(), {.labels = 0, .totals = 0});
        QPainter &painter = paper.painter();
        painter.save();
        painter.translate(place.topLeft());
        StackedBarsPainter(view, paper.theme()).paint(painter, layout);
        painter.restore();
        const qreal rows = place.top() + layout.rows.top();
        paper.link(QRectF(area.left(), rows, area.width(), layout.rows.height()), total);
        // The numbers below the bars are axis ticks, so they have no derivation.
        paper.states(QRectF(area.left(), rows + layout.rows.height(), area.width(), area.height()));
        if (view.capacity)
            paper.link(QRectF(area.left(), area.top(), area.width(), rows - area.top()),
                       QStringLiteral("memory.capacity_bytes"));
    };
    PicturePart picture{.title = title,
                        .caption = {},
                        .minHeight = height + (view.capacity ? 0 : StackedBarsLayout::CapacityHeight),
                        .paint = paint,
                        .legend = {},
                        .values = {}};
    picture.maxHeight = picture.minHeight + 12;
    return picture;
}

LegendValue valueOf(const StackedSegment &segment, const QString &text, double sum, const FigureRef &figure) {
    return {{segment.name, segment.kind, segment.fill, segment.letter},
            said(text, figure),
            sum > 0 ? shareText(segment.value / sum) : QString()};
}

} // namespace

void paintBars(Paper &paper, const QRectF &area, const StackedBarsView &view) {
    const StackedColumns columns = StackedBarsPainter::columns(view, paper.theme());
    QPainter &painter = paper.painter();
    painter.save();
    painter.translate(area.topLeft());
    StackedBarsPainter(view, paper.theme()).paint(painter, layoutStackedBars(view, area.size(), columns));
    painter.restore();
}

namespace {

std::vector<qsizetype> segmentsOf(const StackedBarsView &view) {
    std::vector<qsizetype> segments;
    for (qsizetype segment = 0; segment < view.rows.front().segments.size(); ++segment)
        if (std::any_of(view.rows.begin(), view.rows.end(),
                        [segment](const StackedRow &row) { return row.segments[segment].value > 0; }))
            segments.push_back(segment);
    return segments;
}

} // namespace

std::vector<LegendValue> kindLegend(const StackedBarsView &view) {
    std::vector<LegendValue> legend;
    for (const qsizetype kind : segmentsOf(view)) {
        const StackedSegment &segment = view.rows.front().segments[kind];
        legend.push_back({{segment.name, segment.kind, segment.fill, segment.letter}, {}, {}});
    }
    return legend;
}

TablePart segmentTable(const QString &heading, const QStringList &names, const StackedBarsView &view,
                       Quantity quantity) {
    TablePart table{{{heading, 1, Qt::AlignLeft}}, {}};
    const std::vector<qsizetype> segments = segmentsOf(view);
    for (const qsizetype segment : segments)
        table.columns.push_back({view.rows.front().segments[segment].name});
    table.columns.push_back({QStringLiteral("total")});
    for (qsizetype i = 0; i < view.rows.size(); ++i) {
        std::vector<SentenceText> row{names.value(i)};
        for (const qsizetype segment : segments)
            row.emplace_back(figureText(view.rows[i].segments[segment].value, quantity));
        row.emplace_back(figureText(view.rows[i].sum(), quantity));
        table.rows.push_back(row);
    }
    return table;
}

PicturePart peakPicture(const Result &result) {
    const Memory &memory = result.memory;
    MemoryBarsView view = memoryBarsView(memory);
    const qsizetype peak = std::clamp<qsizetype>(memory.peak_stage, 0, view.bars.size() - 1);
    view.bars = view.bars.mid(peak, 1);
    const StackedBarsView bar = MemoryBars::stacked(view);
    PicturePart picture = barPicture(QStringLiteral("Memory by kind on the stage with the highest peak"), bareBar(bar),
                                     QStringLiteral("memory.peak_bytes"));
    picture.legendColumns = 1;
    const StackedRow &row = bar.rows.front();
    for (qsizetype kind = 0; kind < row.segments.size(); ++kind)
        if (row.segments[kind].value > 0)
            picture.legend.push_back(valueOf(row.segments[kind], figureText(row.segments[kind].value, Quantity::bytes),
                                             row.sum(),
                                             figurePathOf(static_cast<int>(peak), static_cast<MemoryKind>(kind))));
    return picture;
}

PicturePart stepPicture(const Result &result) {
    const StackedBarsView bar = StepBar::stacked(stepBarView(result));
    PicturePart picture = barPicture(QStringLiteral("Step time by term"), bareBar(bar), QStringLiteral("step.seconds"));
    picture.legendColumns = 1;
    const StackedRow &row = bar.rows.front();
    for (qsizetype term = 0; term < row.segments.size(); ++term)
        if (row.segments[term].value > 0)
            picture.legend.push_back(valueOf(
                row.segments[term], figureText(row.segments[term].value, Quantity::seconds), result.step.seconds,
                figurePathOf(QString::fromStdString(step_term_names()[static_cast<std::size_t>(term)]))));
    return picture;
}

} // namespace meshwright
