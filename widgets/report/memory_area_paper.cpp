// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper.h"
#include "report/timeline_paper.h"
#include "theme/theme.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace meshwright {
namespace {

constexpr qreal AreaColumn = 0.5;

/// The band of one kind of memory in the area chart: its lower and upper edge in each column, from the left.
struct Band {
    std::vector<double> below;
    std::vector<double> above;

    bool isEmpty() const { return std::equal(below.begin(), below.end(), above.begin(), above.end()); }
    /// The middle column of the thickest part of the band.
    std::size_t thickest() const {
        double most = 0;
        for (std::size_t i = 0; i < below.size(); ++i)
            most = std::max(most, above[i] - below[i]);
        const auto isThick = [&](std::size_t i) { return above[i] - below[i] > 0.95 * most; };
        std::size_t first = 0;
        while (!isThick(first))
            ++first;
        std::size_t last = below.size() - 1;
        while (!isThick(last))
            --last;
        std::size_t middle = (first + last) / 2;
        while (middle < last && !isThick(middle))
            ++middle;
        return middle;
    }
};

} // namespace

void paintStackedArea(QPainter &painter, const QRectF &rect, const MemoryTrace &trace, double highest,
                      const Theme &theme) {
    const TimeRange whole = trace.whole();
    const auto timeAt = [&](qreal x) { return xToTime(x, whole, rect.width()); };
    const auto yOf = [&](double bytes) { return rect.bottom() - rect.height() * bytes / highest; };
    const auto xOf = [&](std::size_t i) { return rect.left() + static_cast<qreal>(i) * AreaColumn; };
    std::vector<std::size_t> columns;
    for (qreal x = 0; x < rect.width(); x += AreaColumn)
        columns.push_back(trace.highestWithin(timeAt(x), timeAt(x + AreaColumn)));
    const QFont font = paperFont(TypeRole::Caption, TextWeight::SemiBold);
    const QFontMetricsF metrics(font);
    Band band{std::vector<double>(columns.size(), 0), {}};
    painter.save();
    painter.setFont(font);
    for (std::size_t kind = 0; kind < step_memory_kind_count; ++kind) {
        band.above = band.below;
        for (std::size_t i = 0; i < columns.size(); ++i)
            band.above[i] += trace.point(columns[i]).bytes[kind];
        if (band.isEmpty())
            continue;
        QPolygonF outline;
        // Adjacent columns of equal height share one line.
        const auto edge = [&](const std::vector<double> &line, std::size_t i) {
            const QPointF left(xOf(i), yOf(line[i]));
            const QPointF right(std::min(xOf(i + 1), rect.right()), yOf(line[i]));
            return std::pair(left, right);
        };
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const auto [left, right] = edge(band.above, i);
            if (i > 0 && outline.last().y() == left.y())
                outline.last() = right;
            else
                outline << left << right;
        }
        for (std::size_t i = columns.size(); i-- > 0;) {
            const auto [left, right] = edge(band.below, i);
            if (outline.last().y() == right.y() && i + 1 < columns.size())
                outline.last() = left;
            else
                outline << right << left;
        }
        const Kind colour = stepMemoryColour(static_cast<StepMemoryKind>(kind));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.fill(colour));
        painter.drawPolygon(outline);
        const std::size_t at = band.thickest();
        const qreal thickness = yOf(band.below[at]) - yOf(band.above[at]);
        if (thickness >= metrics.ascent() + 2) {
            const QString letter = stepMemoryLetter(static_cast<StepMemoryKind>(kind));
            painter.setPen(theme.label(colour));
            painter.drawText(QPointF(xOf(at) - metrics.horizontalAdvance(letter) / 2,
                                     yOf(band.below[at]) - thickness / 2 + (metrics.ascent() - metrics.descent()) / 2),
                             letter);
        }
        band.below = band.above;
    }
    painter.restore();
}

} // namespace meshwright
