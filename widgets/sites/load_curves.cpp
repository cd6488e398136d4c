// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/load_curves.h"

#include "figures/figure_text.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_axis.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal Margin = 6;
constexpr float FillOpacity = 0.16F;

} // namespace

LoadCurves::LoadCurves(TimelineAxis *axis, QWidget *parent)
    : AxisChart(axis, tr("Compute utilization, link load and queues"), parent) { }

qreal LoadCurves::yOf(double share) const {
    const QRectF area = plot().adjusted(0, Margin, 0, -Margin);
    return area.bottom() - share * area.height();
}

double LoadCurves::maxQueued() const {
    const std::vector<double> &queued = run()->curves.queued;
    return queued.empty() ? 0 : *std::max_element(queued.begin(), queued.end());
}

double LoadCurves::meanOf(const std::vector<double> &values, double from, double to) const {
    const TimelineCurves &curves = run()->curves;
    if (!(curves.interval > 0) || values.empty())
        return 0;
    const auto place = [&](double time) {
        const double at = (time - curves.start) / curves.interval;
        return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(values.size() - 1)));
    };
    const std::size_t first = place(from), last = std::max(first, place(to));
    double sum = 0;
    for (std::size_t i = first; i <= last; ++i)
        sum += values[i];
    return sum / static_cast<double>(last - first + 1);
}

void LoadCurves::paintCurve(QPainter &painter, const std::vector<double> &values, double highest, const QColor &colour,
                            Fill fill) const {
    if (!(highest > 0))
        return;
    QPainterPath path;
    const QRectF area = plot();
    for (qreal x = area.left(); x < area.right(); ++x) {
        const QPointF at(x + 0.5, yOf(meanOf(values, timeAt(x), timeAt(x + 1)) / highest));
        if (path.elementCount() == 0)
            path.moveTo(at);
        else
            path.lineTo(at);
    }
    if (fill == Fill::Below) {
        QPainterPath below = path;
        below.lineTo(area.right(), yOf(0));
        below.lineTo(area.left(), yOf(0));
        below.closeSubpath();
        QColor soft = colour;
        soft.setAlphaF(FillOpacity);
        painter.fillPath(below, soft);
    }
    painter.strokePath(path, QPen(colour, 1.5));
}

void LoadCurves::paintChart(QPainter &painter, const Theme &theme) const {
    paintTick(painter, theme, QStringLiteral("100%"), yOf(1));
    paintTick(painter, theme, QStringLiteral("50%"), yOf(0.5));
    paintTick(painter, theme, QStringLiteral("0"), yOf(0));
    painter.setClipRect(plot());
    painter.setRenderHint(QPainter::Antialiasing);
    const TimelineCurves &curves = run()->curves;
    paintCurve(painter, curves.computing, 1, theme.colour(ColourRole::Accent), Fill::Below);
    paintCurve(painter, curves.uplinks, 1, theme.fill(Kind::Green), Fill::None);
    paintCurve(painter, curves.downlinks, 1, theme.fill(Kind::Cyan), Fill::None);
    // Queues have their own scale: the maximum is at the top.
    paintCurve(painter, curves.queued, maxQueued(), theme.fill(Kind::Yellow), Fill::None);
}

HoverContent LoadCurves::describeRun(QPointF place) const {
    const TimelineCurves &curves = run()->curves;
    const double from = timeAt(place.x());
    const double to = timeAt(place.x() + 1);
    HoverContent content;
    content.title = timeText(from, axis().visible());
    const auto add = [&](const QString &name, const QString &value) { content.rows.append({name, value}); };
    add(tr("Compute utilization"), shareText(meanOf(curves.computing, from, to)));
    add(tr("Uplinks busy"), shareText(meanOf(curves.uplinks, from, to)));
    add(tr("Downlinks busy"), shareText(meanOf(curves.downlinks, from, to)));
    add(tr("Queued sends"),
        tr("%1, maximum %2")
            .arg(figureText(meanOf(curves.queued, from, to), Quantity::number),
                 figureText(maxQueued(), Quantity::number)));
    return content;
}

} // namespace meshwright
