// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/stacked_bars_layout.h"

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal LabelGap = 12;
constexpr qreal TotalsGap = 24;
constexpr qreal TickSpacing = 88;

qreal gapOf(qreal pitch) {
    return std::clamp(std::round(pitch * 0.19), 1.0, 10.0);
}

} // namespace

double StackedRow::sum() const {
    double all = 0;
    for (const StackedSegment &segment : segments)
        all += segment.value;
    return all;
}

double StackedBarsView::largest() const {
    double most = std::max(reach, capacity.value_or(0));
    for (const StackedRow &row : rows)
        most = std::max(most, row.sum());
    for (const StackedRow &row : ghost)
        most = std::max(most, row.sum());
    return most;
}

QString StackedBarsView::text(double value) const {
    return fixedText(value / unit.size, decimals);
}

QString StackedBarsView::textWithUnit(double value) const {
    return text(value) + QLatin1Char(' ') + unit.name;
}

QRectF StackedBarsLayout::bar(int row) const {
    const qreal top = rows.top() + row * pitch - scrolled + std::floor((pitch - barHeight) / 2);
    return {scale.left, top, scale.right - scale.left, barHeight};
}

QRectF StackedBarsLayout::segment(const StackedBarsView &view, SegmentIndex index) const {
    const QVector<StackedSegment> &segments = view.rows[index.row].segments;
    double before = 0;
    for (int i = 0; i < index.segment; ++i)
        before += segments[i].value;
    const QRectF all = bar(index.row);
    const qreal left = scale.toX(before);
    return {left, all.top(), scale.toX(before + segments[index.segment].value) - left, all.height()};
}

int StackedBarsLayout::rowAt(qreal y) const {
    if (y < rows.top() || y >= rows.bottom())
        return -1;
    const int row = int(std::floor((y - rows.top() + scrolled) / pitch));
    return row >= 0 && row < rowCount ? row : -1;
}

SegmentIndex StackedBarsLayout::segmentAt(const StackedBarsView &view, const QPointF &point) const {
    const int row = rowAt(point.y());
    if (row < 0 || point.x() < scale.left)
        return {};
    const double value = scale.toValue(point.x());
    double before = 0;
    SegmentIndex nearest;
    qreal distance = 3;
    const QVector<StackedSegment> &segments = view.rows[row].segments;
    for (int i = 0; i < segments.size(); ++i) {
        const double after = before + segments[i].value;
        if (value >= before && value < after)
            return {row, i};
        // Segments narrower than a pixel must still be selectable.
        const qreal away = std::abs(scale.toX((before + after) / 2) - point.x());
        if (segments[i].value > 0 && away < distance) {
            distance = away;
            nearest = {row, i};
        }
        before = after;
    }
    return nearest;
}

int StackedBarsLayout::firstVisible() const {
    return std::clamp(int(std::floor(scrolled / pitch)), 0, rowCount);
}

int StackedBarsLayout::endVisible() const {
    return std::clamp(int(std::ceil((scrolled + rows.height()) / pitch)), 0, rowCount);
}

qreal StackedBarsLayout::scrollRange() const {
    return std::max<qreal>(0, contentHeight - rows.height());
}

int StackedBarsLayout::labelStride(qreal height) const {
    return std::max(1, int(std::ceil(height / pitch)));
}

StackedBarsLayout layoutStackedBars(const StackedBarsView &view, const QSizeF &size, const StackedColumns &columns,
                                    qreal scrolled) {
    using Layout = StackedBarsLayout;
    Layout layout;
    layout.rowCount = int(view.rows.size());
    const qreal top = view.capacity ? Layout::CapacityHeight : 0;
    const qreal room = std::max<qreal>(Layout::SmallestPitch, size.height() - top - Layout::AxisHeight);
    const qreal spread = room / std::max(1, layout.rowCount);
    // Rounds to whole pixels, because rows of unequal height would look like data.
    layout.pitch = std::floor(std::clamp(spread, Layout::SmallestPitch, Layout::LargestPitch));
    layout.barHeight = layout.pitch - gapOf(layout.pitch);
    layout.contentHeight = layout.pitch * layout.rowCount;
    const qreal left = std::round(columns.labels + LabelGap);
    const qreal right = std::max(left + 40, std::round(size.width() - columns.totals - TotalsGap));
    layout.rows = QRectF(0, top, size.width(), std::min(room, layout.contentHeight));
    layout.scrolled = std::clamp<qreal>(scrolled, 0, layout.scrollRange());
    const double largest = std::max(view.largest() / view.unit.size, 1e-12);
    const int steps = std::max(2, int((right - left) / TickSpacing));
    QVector<double> ticks = niceTicks(largest * 1.02, steps);
    const double step = ticks.size() > 1 ? ticks[1] : largest;
    // The axis ends on a tick if one is near, otherwise just after the largest value. Rounding up further would make
    // the bars shorter.
    double end = largest * 1.03;
    if (ticks.last() < largest && ticks.last() + step <= largest * 1.06)
        ticks.append(ticks.last() + step);
    end = ticks.last() >= largest ? ticks.last() : end;
    layout.scale = {0, end * view.unit.size, left, right};
    layout.ticks = ticks;
    return layout;
}

qreal preferredPitch(int rows) {
    if (rows <= 2)
        return 54;
    return rows <= 4 ? 44 : rows <= 8 ? 32 : rows <= 16 ? 22 : rows <= 32 ? 12 : 7;
}

qreal preferredHeight(const StackedBarsView &view) {
    const int rows = std::max(1, int(view.rows.size()));
    return rows * preferredPitch(rows) + StackedBarsLayout::AxisHeight
        + (view.capacity ? StackedBarsLayout::CapacityHeight : 0);
}

} // namespace meshwright
