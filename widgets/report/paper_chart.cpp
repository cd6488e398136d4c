// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper_chart.h"

#include "charts/chart_drawing.h"
#include "report/paper.h"
#include "theme/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <optional>

namespace meshwright {
namespace {

constexpr qreal ChartTitleHeight = 18;
constexpr qreal ChartGap = 24;

/// Position of a value, clamped to the axes.
QPointF clampedAt(const ChartDrawing &chart, const QPointF &value) {
    const QPointF at = chart.at(value);
    const QRectF &plot = chart.plot();
    return {std::clamp(at.x(), plot.left(), plot.right()), std::clamp(at.y(), plot.top(), plot.bottom())};
}

QPainterPath pathOf(const ChartDrawing &chart, const ChartSeries &series) {
    QPainterPath path;
    bool begun = false;
    for (const QPointF &point : series.points) {
        if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
            begun = false;
            continue;
        }
        const QPointF next = clampedAt(chart, point);
        if (!begun)
            path.moveTo(next);
        else if (series.stepped)
            path.lineTo(next.x(), path.currentPosition().y());
        if (begun)
            path.lineTo(next);
        begun = true;
    }
    return path;
}

void paintBand(QPainter &painter, const ChartDrawing &chart, const ChartBand &band, const Theme &theme) {
    QPolygonF outline;
    for (const QPointF &point : band.upper)
        outline << clampedAt(chart, point);
    for (auto point = band.lower.crbegin(); point != band.lower.crend(); ++point)
        outline << clampedAt(chart, *point);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(theme.colour(ColourRole::Card), theme.colour(ColourRole::LineStrong), 0.25));
    painter.drawPolygon(outline);
}

void paintDots(QPainter &painter, const ChartDrawing &chart, const ChartDots &dots, const Theme &theme) {
    constexpr qreal rim = 1.2;
    const QColor colour = mixed(theme.colour(ColourRole::Card), colourOf(dots.ink, theme), dots.opacity);
    painter.setPen(dots.hollow ? QPen(colour, rim) : QPen(Qt::NoPen));
    painter.setBrush(dots.hollow ? QBrush(theme.colour(ColourRole::Card)) : QBrush(colour));
    for (const QPointF &point : dots.points)
        if (std::isfinite(point.x()) && std::isfinite(point.y()) && chart.beyond(point).isNull())
            painter.drawEllipse(chart.at(point), dots.radius, dots.radius);
}

} // namespace

void paintChart(Paper &paper, const QRectF &area, const ChartView &whole) {
    const Theme &theme = paper.theme();
    QPainter &painter = paper.painter();
    ChartView view = whole;
    // The y axis title reads upward, so the height limits it.
    view.y.title = paperElided(whole.y.title, area.height(), TypeRole::Caption);
    const ChartDrawing chart(area, view, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const ChartBand &band : view.bands)
        paintBand(painter, chart, band, theme);
    chart.paintAxes(painter);
    for (auto series = view.series.crbegin(); series != view.series.crend(); ++series) {
        QPen pen(colourOf(series->ink, theme), series->width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
        if (series->dashed)
            pen.setDashPattern({4, 3});
        painter.strokePath(pathOf(chart, *series), pen);
    }
    for (const ChartDots &dots : view.dots)
        paintDots(painter, chart, dots, theme);
    chart.paintMarks(painter);
    painter.restore();
}

void paintCharts(Paper &paper, const QRectF &area, const std::vector<TitledChart> &charts, int columns) {
    const auto count = static_cast<int>(charts.size());
    const int rows = (count + columns - 1) / columns;
    const qreal width = (area.width() - ChartGap * (columns - 1)) / columns;
    const qreal height = (area.height() - (rows - 1) * ChartGap / 2) / rows;
    for (int i = 0; i < count; ++i) {
        const TitledChart &chart = charts[static_cast<std::size_t>(i)];
        const QRectF place(area.left() + i % columns * (width + ChartGap),
                           area.top() + i / columns * (height + ChartGap / 2), width, height);
        paper.text(place.left(), place.top(), paperElided(chart.title, width, TypeRole::Caption, TextWeight::SemiBold),
                   TypeRole::Caption, ColourRole::Text2, TextWeight::SemiBold);
        paintChart(paper, place.adjusted(0, ChartTitleHeight, 0, 0), chart.view);
    }
}

TablePart tableOf(const ChartView &view, int most) {
    TablePart table{{{view.x.title}}, {}};
    for (const ChartSeries &series : view.series)
        table.columns.push_back({series.name.isEmpty() ? view.y.title : series.name});
    if (view.series.isEmpty() || view.series.first().points.isEmpty())
        return table;
    const QVector<QPointF> &points = view.series.first().points;
    const auto rows = std::min<qsizetype>(most, points.size());
    for (qsizetype i = 0; i < rows; ++i) {
        const double x = points[rows > 1 ? i * (points.size() - 1) / (rows - 1) : 0].x();
        std::vector<SentenceText> row{view.x.textOf(x)};
        for (const ChartSeries &series : view.series) {
            const std::optional<double> y = valueOf(series, x, view.x);
            row.emplace_back(y ? view.y.textOf(*y) : QString());
        }
        table.rows.push_back(row);
    }
    return table;
}

} // namespace meshwright
