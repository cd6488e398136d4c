// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/aggregator_chart.h"

#include "figures/figure_text.h"
#include "sites/sites_timeline.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_axis.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal NameApart = 12; ///< minimum vertical distance of two names, in pixels
constexpr qreal MarkRoom = 12; ///< height above the step plot for round-closing marks and late arrivals
constexpr qreal BroadcastHeight = 8;
constexpr qreal BroadcastGap = 6;
constexpr qreal RoundRoom = 15; ///< height at the bottom for the round labels
constexpr qreal MarkSize = 4;
constexpr qreal LateRadius = 2.5;
constexpr qreal FinelyDrawn = 2; ///< arrivals closer together than this many pixels are drawn as one line
constexpr qreal FinestStep = 0.4; ///< horizontal distance in pixels between points of the plot

double lastOf(const WatchedGathering &watched) {
    double last = watched.gathering.closed;
    if (!watched.arrivals.empty())
        last = std::max(last, watched.arrivals.back());
    return watched.returned == never ? last : std::max(last, watched.returned);
}

} // namespace

AggregatorChart::AggregatorChart(TimelineAxis *axis, QWidget *parent)
    : AxisChart(axis, tr("Arrivals at the aggregator"), parent) { }

QRectF AggregatorChart::stairs() const {
    return plot().adjusted(0, MarkRoom, 0, -(BroadcastHeight + BroadcastGap + RoundRoom));
}

qreal AggregatorChart::yOf(double arrivals) const {
    const QRectF area = stairs();
    const double sites = std::max(1.0, static_cast<double>(run()->timeline.sites));
    return area.bottom() - arrivals / sites * area.height();
}

void AggregatorChart::paintScale(QPainter &painter, const Theme &theme) const {
    const auto sites = static_cast<double>(run()->timeline.sites);
    const auto quorum = static_cast<double>(std::min(run()->question.plan.outer.quorum, run()->timeline.sites));
    // If the quorum is small compared to the number of sites, the number of the quorum is close to the bottom, so the
    // label "arrivals" moves up.
    const qreal foot = yOf(0) - 4;
    paintName(painter, theme, tr("arrivals"), foot - yOf(quorum) >= NameApart ? foot : (yOf(quorum) + yOf(sites)) / 2);
    const bool whole = quorum >= sites;
    if (!whole && yOf(quorum) - yOf(sites) >= NameApart)
        paintTick(painter, theme, countText(sites), yOf(sites));
    paintName(painter, theme, whole ? tr("all %1").arg(countText(sites)) : countText(quorum), yOf(quorum));
    QPen pen(theme.colour(ColourRole::Text2), 1);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    const qreal y = std::round(yOf(quorum)) + 0.5;
    painter.drawLine(QPointF(plot().left(), y), QPointF(plot().right(), y));
    paintName(painter, theme, tr("broadcast"), stairs().bottom() + BroadcastGap + BroadcastHeight / 2);
}

void AggregatorChart::paintArrivals(QPainter &painter, const WatchedGathering &watched, const QColor &colour) const {
    const std::vector<double> &arrivals = watched.arrivals;
    if (arrivals.empty())
        return;
    const auto onTime = static_cast<std::size_t>(
        std::upper_bound(arrivals.begin(), arrivals.end(), watched.gathering.closed) - arrivals.begin());
    if (onTime == 0)
        return;
    const qreal left = xAt(arrivals.front());
    const qreal right = xAt(arrivals[onTime - 1]);
    const double secondsOfAPixel = axis().visible().length() / plot().width();
    painter.setPen(QPen(colour, 1.5));
    if (right - left < FinelyDrawn) {
        painter.drawLine(QPointF(left, yOf(0)), QPointF(right, yOf(static_cast<double>(onTime))));
        return;
    }
    // Arrivals within a fraction of a pixel are drawn as a single step of the plot.
    QPainterPath path(QPointF(left, yOf(0)));
    const auto end = arrivals.begin() + static_cast<std::ptrdiff_t>(onTime);
    for (auto arrival = arrivals.begin(); arrival != end;) {
        const qreal x = xAt(*arrival);
        path.lineTo(x, yOf(static_cast<double>(arrival - arrivals.begin())));
        arrival = std::upper_bound(arrival, end, *arrival + FinestStep * secondsOfAPixel);
        path.lineTo(x, yOf(static_cast<double>(arrival - arrivals.begin())));
    }
    painter.drawPath(path);
}

void AggregatorChart::paintClosing(QPainter &painter, const WatchedGathering &watched, const QColor &colour,
                                   const Theme &theme) const {
    const Gathering &gathering = watched.gathering;
    const qreal closed = xAt(gathering.closed);
    QPainterPath mark;
    mark.moveTo(closed - MarkSize, stairs().top() - 2 * MarkSize - 1);
    mark.lineTo(closed + MarkSize, stairs().top() - 2 * MarkSize - 1);
    mark.lineTo(closed, stairs().top() - 2);
    mark.closeSubpath();
    painter.setPen(QPen(colour, 1.2));
    painter.setBrush(Qt::NoBrush);
    const auto late = std::upper_bound(watched.arrivals.begin(), watched.arrivals.end(), gathering.closed);
    const double apart =
        2 * LateRadius * axis().visible().length() / plot().width(); // circles closer together would overlap
    for (auto arrival = late; arrival != watched.arrivals.end();
         arrival = std::lower_bound(arrival + 1, watched.arrivals.end(), *arrival + apart))
        painter.drawEllipse(QPointF(xAt(*arrival), stairs().top() - MarkSize - 1), LateRadius, LateRadius);
    painter.fillPath(mark, theme.colour(gathering.voided ? ColourRole::Bad : ColourRole::Text));
    if (gathering.sent_back == never || watched.returned == never)
        return;
    const qreal from = xAt(gathering.sent_back);
    const QRectF band(from, stairs().bottom() + BroadcastGap, std::max(1.0, xAt(watched.returned) - from),
                      BroadcastHeight);
    painter.fillRect(band, colour);
}

void AggregatorChart::paintRounds(QPainter &painter, const Theme &theme) const {
    painter.setFont(theme.font(TypeRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const qreal baseline = plot().bottom() - 3;
    const std::vector<double> &starts = run()->roundStarts;
    for (std::size_t round = 0; round < starts.size(); ++round) {
        const double end = round + 1 < starts.size() ? starts[round + 1] : axis().whole().end;
        if (end <= axis().visible().begin || starts[round] >= axis().visible().end)
            continue;
        const qreal x = xAt(starts[round]);
        if (x >= plot().left())
            painter.fillRect(QRectF(std::round(x), plot().top(), 1, plot().height()),
                             theme.colour(ColourRole::LineStrong));
        const QString text = tr("round %1").arg(run()->question.from + static_cast<std::int64_t>(round) + 1);
        const qreal left = std::max(x, plot().left()) + 4;
        if (std::min(xAt(end), plot().right()) - left < metrics.horizontalAdvance(text) + 4)
            continue;
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(left, baseline), text);
    }
}

void AggregatorChart::paintChart(QPainter &painter, const Theme &theme) const {
    paintScale(painter, theme);
    painter.setClipRect(plot());
    paintRounds(painter, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const WatchedGathering &watched : run()->gatherings) {
        if (watched.gathering.closed == never || watched.gathering.first_arrival > axis().visible().end
            || lastOf(watched) < axis().visible().begin)
            continue;
        const QColor colour = theme.fill(kindOfFragment(watched.gathering.fragment));
        paintArrivals(painter, watched, colour);
        paintClosing(painter, watched, colour, theme);
    }
}

HoverContent AggregatorChart::describeRun(QPointF place) const {
    const double time = timeAt(place.x());
    const WatchedGathering *nearest = nullptr;
    double distance = never;
    for (const WatchedGathering &watched : run()->gatherings) {
        const Gathering &gathering = watched.gathering;
        if (gathering.closed == never)
            continue;
        const double away = time < gathering.first_arrival ? gathering.first_arrival - time
            : time > lastOf(watched)                       ? time - lastOf(watched)
                                                           : 0;
        if (away < distance
            || (away == distance && nearest != nullptr && gathering.first_arrival > nearest->gathering.first_arrival)) {
            distance = away;
            nearest = &watched;
        }
    }
    constexpr qreal reach = 12;
    if (nearest == nullptr || distance > timeAt(place.x() + reach) - time)
        return {};
    const Gathering &gathering = nearest->gathering;
    const TimeRange visible = axis().visible();
    HoverContent content;
    content.title = tr("Fragment %1, round %2").arg(gathering.fragment).arg(run()->numberOfRound(gathering.round));
    content.swatch = Theme::of(this).fill(kindOfFragment(gathering.fragment));
    const auto add = [&](const QString &name, const QString &value) { content.rows.append({name, value}); };
    add(tr("First arrival"), timeText(gathering.first_arrival, visible));
    if (gathering.voided)
        add(tr("Quorum"), tr("not reached, round dropped"));
    else
        add(tr("Quorum after"), durationText(std::max(0.0, gathering.quorum - gathering.first_arrival)));
    add(tr("Closed"),
        tr("%1 with %2 of %3")
            .arg(timeText(gathering.closed, visible))
            .arg(gathering.on_time)
            .arg(run()->timeline.sites));
    if (gathering.late > 0)
        add(tr("Late updates from earlier rounds"), countText(static_cast<double>(gathering.late)));
    if (gathering.sent_back != never && nearest->returned != never)
        add(tr("Broadcast time"), durationText(std::max(0.0, nearest->returned - gathering.sent_back)));
    return content;
}

} // namespace meshwright
