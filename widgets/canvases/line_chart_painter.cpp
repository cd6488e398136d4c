// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/line_chart_painter.h"

#include "canvases/label_layout.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr qreal labelGap = 8;
constexpr qreal tickRowHeight = 20;
constexpr qreal legendHeight = 20;
constexpr qreal swatchWidth = 14;
constexpr qreal topMargin = 8;
constexpr qreal rightMargin = 12;
constexpr qreal pixelsPerXTick = 72;
constexpr qreal pixelsPerYTick = 34;

QPen penOf(const ChartSeries &series, const QColor &colour) {
    QPen pen(colour, 1.75, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (series.dashed)
        pen.setDashPattern({4, 3});
    return pen;
}

} // namespace

LineChartPainter::LineChartPainter(const QRectF &rect, const LineChartView &view, const Theme &theme)
    : m_rect(rect)
    , m_view(view)
    , m_theme(theme) {
    const QFontMetricsF metrics(theme.font(TypeRole::Caption));
    const qreal top = topMargin + (hasLegend() ? legendHeight : 0);
    const qreal height = rect.height() - top - tickRowHeight;
    m_yTicks = ticksOf(view.y, std::max(2, static_cast<int>(height / pixelsPerYTick)));
    qreal widest = 0;
    for (const ChartTick &tick : m_yTicks)
        widest = std::max(widest, metrics.horizontalAdvance(tick.text));
    const qreal left = std::ceil(widest) + labelGap;
    m_plot = QRectF(rect.left() + left, rect.top() + top, std::max(1.0, rect.width() - left - rightMargin),
                    std::max(1.0, height));
    m_xTicks = ticksOf(view.x, std::max(2, static_cast<int>(m_plot.width() / pixelsPerXTick)));
}

bool LineChartPainter::hasLegend() const {
    return std::count_if(m_view.series.cbegin(), m_view.series.cend(),
                         [](const ChartSeries &series) { return !series.name.isEmpty(); })
        > 1;
}

QPointF LineChartPainter::at(const QPointF &value) const {
    // Far outside a coordinate would overflow what paints it.
    const double y = std::clamp(m_view.y.shareOf(value.y()), -10.0, 10.0);
    return {m_plot.left() + m_view.x.shareOf(value.x()) * m_plot.width(), m_plot.bottom() - y * m_plot.height()};
}

void LineChartPainter::paint(QPainter &painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_theme.font(TypeRole::Caption));
    paintAxes(painter);
    if (hasLegend())
        paintLegend(painter);
    painter.save();
    painter.setClipRect(m_plot.adjusted(-1, -2, 1, 2));
    // The first series lies on top: it is what the chart is about.
    for (qsizetype i = m_view.series.size(); i-- > 0;)
        paintSeries(painter, m_view.series.at(i));
    painter.restore();
    paintLines(painter);
    paintMarks(painter);
    painter.restore();
}

void LineChartPainter::paintAxes(QPainter &painter) const {
    const QFontMetricsF metrics(painter.font());
    const QColor ink = m_theme.colour(ColourRole::Text3);
    const qreal rise = (metrics.ascent() - metrics.descent()) / 2;
    for (const ChartTick &tick : m_yTicks) {
        const qreal y = std::round(at({m_view.x.low, tick.value}).y());
        painter.fillRect(QRectF(m_plot.left(), y, m_plot.width(), 1), m_theme.colour(ColourRole::Grid));
        painter.setPen(ink);
        painter.drawText(QPointF(m_plot.left() - labelGap - metrics.horizontalAdvance(tick.text), std::round(y + rise)),
                         tick.text);
    }
    QVector<LabelSpan> labels;
    for (const ChartTick &tick : m_xTicks)
        labels.append(centredWithin(at({tick.value, 0}).x(), metrics.horizontalAdvance(tick.text), m_rect.left(),
                                    m_rect.right()));
    const QVector<bool> shown = labelsThatFit(labels, labelGap);
    painter.setPen(ink);
    for (int i = 0; i < labels.size(); ++i)
        if (shown.at(i))
            painter.drawText(QPointF(labels.at(i).left, m_plot.bottom() + 4 + metrics.ascent()), m_xTicks.at(i).text);
}

void LineChartPainter::paintLegend(QPainter &painter) const {
    const QFontMetricsF metrics(painter.font());
    const qreal middle = m_rect.top() + legendHeight / 2 - 2;
    qreal left = m_plot.left();
    for (const ChartSeries &series : m_view.series) {
        const qreal width = swatchWidth + 6 + metrics.horizontalAdvance(series.name);
        // A name that has no room is read off under the pointer.
        if (series.name.isEmpty() || left + width > m_rect.right())
            continue;
        painter.setPen(penOf(series, LineChart::colourOf(series, m_theme)));
        painter.drawLine(QPointF(left, middle), QPointF(left + swatchWidth, middle));
        painter.setPen(m_theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(left + swatchWidth + 6, middle + (metrics.ascent() - metrics.descent()) / 2),
                         series.name);
        left += width + 16;
    }
}

void LineChartPainter::paintSeries(QPainter &painter, const ChartSeries &series) const {
    QPainterPath path;
    bool open = false;
    for (const QPointF &point : series.points) {
        if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
            open = false;
            continue;
        }
        const QPointF next = at(point);
        if (!open) {
            path.moveTo(next);
        } else {
            if (series.stepped)
                path.lineTo(next.x(), path.currentPosition().y());
            path.lineTo(next);
        }
        open = true;
    }
    painter.setPen(penOf(series, LineChart::colourOf(series, m_theme)));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void LineChartPainter::paintLines(QPainter &painter) const {
    const QFontMetricsF metrics(painter.font());
    for (const ChartLine &line : m_view.lines) {
        const double share = m_view.x.shareOf(line.x);
        if (share < 0 || share > 1)
            continue;
        const qreal x = std::round(at({line.x, m_view.y.low}).x());
        painter.setPen(QPen(m_theme.colour(ColourRole::LineStrong), 1, Qt::DashLine));
        painter.drawLine(QPointF(x + 0.5, m_plot.top()), QPointF(x + 0.5, m_plot.bottom()));
        const qreal width = metrics.horizontalAdvance(line.text);
        const bool toTheRight = x + 4 + width <= m_plot.right();
        painter.setPen(m_theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(toTheRight ? x + 5 : x - 4 - width, m_plot.top() + metrics.ascent()), line.text);
    }
}

void LineChartPainter::paintDot(QPainter &painter, const QPointF &centre, const QColor &colour, qreal radius) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.75));
    painter.setBrush(m_theme.colour(ColourRole::Card));
    painter.drawEllipse(centre, radius, radius);
    painter.restore();
}

QRectF LineChartPainter::labelOf(const ChartMark &mark) const {
    const double y = m_view.y.shareOf(mark.at.y());
    const double x = m_view.x.shareOf(mark.at.x());
    if (!(x >= -1e-9 && x <= 1 + 1e-9 && y >= -1e-9 && y <= 1 + 1e-9))
        return {};
    const QFontMetricsF metrics(m_theme.font(TypeRole::Caption));
    const QPointF centre = at(mark.at);
    const LabelSpan label =
        centredWithin(centre.x(), metrics.horizontalAdvance(mark.text), m_plot.left(), m_plot.right());
    const bool above = centre.y() - 10 - metrics.height() > m_plot.top();
    const qreal baseline = above ? centre.y() - 10 : centre.y() + 8 + metrics.ascent();
    return {label.left, baseline - metrics.ascent(), std::max<qreal>(1, metrics.horizontalAdvance(mark.text)),
            metrics.height()};
}

void LineChartPainter::paintMarks(QPainter &painter) const {
    const QFontMetricsF metrics(painter.font());
    for (const ChartMark &mark : m_view.marks) {
        const QRectF label = labelOf(mark);
        if (label.isEmpty())
            continue;
        const QColor colour = mark.series < m_view.series.size()
            ? LineChart::colourOf(m_view.series.at(mark.series), m_theme)
            : m_theme.colour(ColourRole::Accent);
        paintDot(painter, at(mark.at), colour, 4);
        painter.setPen(m_theme.colour(ColourRole::Text));
        painter.drawText(QPointF(label.left(), label.top() + metrics.ascent()), mark.text);
    }
}

} // namespace meshwright
