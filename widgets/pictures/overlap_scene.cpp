// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/overlap_scene.h"

#include "canvases/axis.h"
#include "pictures/picture_marks.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal LaneNames = 70;
constexpr qreal AxisHeight = 18;
constexpr qreal LargestLane = 80;
constexpr qreal LaneGap = 12;

QString layersText(const LaneBlock &block) {
    return block.last_layer == block.first_layer
        ? QObject::tr("layer %1").arg(block.last_layer)
        : QObject::tr("layers %1 to %2").arg(block.first_layer).arg(block.last_layer);
}

QString numbersText(const LaneBlock &block) {
    return block.last_layer == block.first_layer ? QString::number(block.last_layer)
                                                 : QStringLiteral("%1–%2").arg(block.first_layer).arg(block.last_layer);
}

bool isSameTime(double a, double b) {
    constexpr double rounding = 1e-9;
    return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
}

} // namespace

OverlapScene::OverlapScene(OverlapLanes lanes)
    : m_lanes(std::move(lanes)) {
    m_times.push_back(0);
    for (const Lane lane : {Lane::Backward, Lane::Reductions})
        for (const LaneBlock &block : blocks(lane))
            m_times.push_back(block.end);
    std::sort(m_times.begin(), m_times.end());
    m_times.erase(std::unique(m_times.begin(), m_times.end(), isSameTime), m_times.end());
}

const std::vector<LaneBlock> &OverlapScene::blocks(Lane lane) const {
    return lane == Lane::Backward ? m_lanes.backward : m_lanes.reductions;
}

QString OverlapScene::title() const {
    const qsizetype layers = qsizetype(m_lanes.backward.size());
    return layers == 1 ? QObject::tr("Overlap of gradient reduction, 1 layer")
                       : QObject::tr("Overlap of gradient reduction, %1 layers").arg(layers);
}

QString OverlapScene::exposedText() const {
    return QObject::tr("exposed %1 of %2")
        .arg(marks::secondsText(m_lanes.exposed_seconds()), marks::secondsText(m_lanes.seconds()));
}

QString OverlapScene::sentence(int step) const {
    if (step <= 0)
        return QObject::tr("Start: the backward pass begins with the last layer, %1.")
            .arg(layersText(m_lanes.backward.front()));
    const double now = m_times[step];
    QStringList events;
    for (const LaneBlock &block : m_lanes.backward)
        if (isSameTime(block.end, now))
            events.append(QObject::tr("gradients of %1 are ready").arg(layersText(block)));
    for (const LaneBlock &block : m_lanes.reductions)
        if (isSameTime(block.end, now))
            events.append(QObject::tr("the reduction of %1 ends").arg(layersText(block)));
    for (const LaneBlock &block : m_lanes.reductions)
        if (isSameTime(block.start, now) && block.end > block.start)
            events.append(QObject::tr("the reduction of %1 starts").arg(layersText(block)));
    QString text = QObject::tr("Step %1 of %2, %3: %4")
                       .arg(step)
                       .arg(lastStep())
                       .arg(marks::secondsText(now), events.join(QStringLiteral("; ")));
    if (step == lastStep())
        text += QObject::tr(". The rest of the step waits for %1").arg(marks::secondsText(m_lanes.exposed_seconds()));
    return text + QLatin1Char('.');
}

QRectF OverlapScene::plotIn(const QRectF &rect) const {
    const qreal high = std::min(rect.height() - marks::HeadingHeight - 8 - AxisHeight, 2 * LargestLane + LaneGap);
    return {rect.left() + LaneNames, rect.top() + marks::HeadingHeight + 8, rect.width() - LaneNames - 8, high};
}

QRectF OverlapScene::areaOf(const QRectF &plot, Lane lane, const LaneBlock &block) const {
    const qreal high = (plot.height() - LaneGap) / 2;
    const double whole = std::max(m_lanes.seconds(), 1e-300);
    const qreal left = plot.left() + plot.width() * block.start / whole;
    const qreal right = plot.left() + plot.width() * block.end / whole;
    return {left, lane == Lane::Backward ? plot.top() : plot.bottom() - high, right - left, high};
}

void OverlapScene::paintLane(QPainter &painter, const QRectF &plot, Lane lane, double now, const Theme &theme) const {
    const Kind kind = lane == Lane::Backward ? Kind::Yellow : Kind::Green;
    const QFont font = theme.font(TypeRole::Caption);
    const LaneBlock whole{.start = 0, .end = m_lanes.seconds()};
    const QRectF row = areaOf(plot, lane, whole);
    surfaces::rounded(painter, row, Theme::radius(Corner::Mark), theme.colour(ColourRole::Field));
    marks::text(painter, QRectF(plot.left() - LaneNames, row.top(), LaneNames - 8, row.height()),
                Qt::AlignRight | Qt::AlignVCenter,
                lane == Lane::Backward ? QObject::tr("backward") : QObject::tr("reduction"), font,
                theme.colour(ColourRole::Text2));
    for (const LaneBlock &block : blocks(lane)) {
        const QRectF area = areaOf(plot, lane, block);
        const QRectF inner = area.adjusted(0, 0, area.width() > 4 ? -1 : 0, 0);
        constexpr qreal faint = 0.74;
        const QColor later = mixed(theme.fill(kind), theme.colour(ColourRole::Card), faint);
        surfaces::rounded(painter, inner, Theme::radius(Corner::Mark), later);
        const double done = block.end > block.start
            ? std::clamp((now - block.start) / (block.end - block.start), 0.0, 1.0)
            : double(now >= block.end);
        QRectF begun = inner;
        begun.setWidth(inner.width() * done);
        surfaces::rounded(painter, begun, Theme::radius(Corner::Mark), theme.fill(kind));
        const QColor ink = done > 0.5 ? theme.label(kind) : marks::inkOn(later, theme);
        marks::text(painter, inner.adjusted(1, 0, -1, 0), Qt::AlignCenter, numbersText(block), font, ink);
    }
}

void OverlapScene::paintAxis(QPainter &painter, const QRectF &plot, const Theme &theme) const {
    constexpr int most = 6;
    const QFont font = theme.font(TypeRole::Caption);
    const AxisUnit unit = timeUnit(m_lanes.seconds());
    const QVector<double> ticks = niceTicks(std::max(m_lanes.seconds() / unit.size, 1e-300), most);
    const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
    for (const double tick : ticks) {
        const qreal x = plot.left() + plot.width() * tick * unit.size / std::max(m_lanes.seconds(), 1e-300);
        if (x > plot.right() + 0.5)
            continue;
        painter.fillRect(QRectF(x, plot.top(), 1, plot.height() + 3), theme.colour(ColourRole::Grid));
        const bool isFirst = tick == 0;
        const QString label = isFirst ? QStringLiteral("0 ") + unit.name : tickText(tick, step);
        const QRectF room(x - 30, plot.bottom() + 4, std::min(60.0, 2 * (plot.right() + 8 - x + 14)), AxisHeight - 4);
        marks::text(painter, isFirst ? room.translated(30, 0) : room,
                    (isFirst ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter, label, font,
                    theme.colour(ColourRole::Text3));
    }
}

void OverlapScene::paint(QPainter &painter, const QRectF &rect, const PictureMoment &moment, const Theme &theme) const {
    const double before = m_times[std::max(0, moment.step - 1)];
    const double now = before + (m_times[moment.step] - before) * moment.progress;
    const QRectF heading(rect.left(), rect.top(), rect.width(), marks::HeadingHeight);
    const QFont strong = theme.font(TypeRole::Body, TextWeight::SemiBold);
    marks::text(painter, heading, Qt::AlignLeft | Qt::AlignVCenter, exposedText(), strong,
                theme.colour(ColourRole::Text));
    marks::text(painter, heading.adjusted(QFontMetricsF(strong).horizontalAdvance(exposedText()) + 12, 0, 0, 0),
                Qt::AlignRight | Qt::AlignVCenter, QObject::tr("now %1").arg(marks::secondsText(now)),
                theme.font(TypeRole::Body), theme.colour(ColourRole::Text2));
    const QRectF plot = plotIn(rect);
    paintAxis(painter, plot, theme);
    paintLane(painter, plot, Lane::Backward, now, theme);
    paintLane(painter, plot, Lane::Reductions, now, theme);
    // After compute has ended, communication is exposed.
    QRectF exposed = areaOf(plot, Lane::Backward, {.start = m_lanes.compute_seconds(), .end = m_lanes.seconds()});
    surfaces::hatch(painter, exposed, theme.colour(ColourRole::Bad));
    const QFont caption = theme.font(TypeRole::Caption);
    const QString label = QObject::tr("exposed");
    const qreal wide = QFontMetricsF(caption).horizontalAdvance(label) + 8;
    if (wide <= exposed.width()) {
        const QRectF tile(exposed.center().x() - wide / 2, exposed.center().y() - 8, wide, 16);
        surfaces::rounded(painter, tile, 3, theme.colour(ColourRole::Card));
        marks::text(painter, tile, Qt::AlignCenter, label, caption, theme.colour(ColourRole::Bad));
    }
    const qreal x = plot.left() + plot.width() * now / std::max(m_lanes.seconds(), 1e-300);
    painter.fillRect(QRectF(std::clamp(x - 1, plot.left(), plot.right() - 2), plot.top() - 5, 2, plot.height() + 8),
                     theme.colour(ColourRole::Text));
}

HoverContent OverlapScene::describe(const QPointF &place, const QRectF &rect, int /*step*/) const {
    const QRectF plot = plotIn(rect);
    HoverContent content;
    for (const Lane lane : {Lane::Backward, Lane::Reductions})
        for (const LaneBlock &block : blocks(lane)) {
            if (!areaOf(plot, lane, block).contains(place))
                continue;
            content.title = lane == Lane::Backward ? QObject::tr("Backward pass of %1").arg(layersText(block))
                                                   : QObject::tr("Gradient reduction of %1").arg(layersText(block));
            content.swatch = Theme::current().fill(lane == Lane::Backward ? Kind::Yellow : Kind::Green);
            content.rows.append({QObject::tr("Start"), marks::secondsText(block.start)});
            content.rows.append({QObject::tr("End"), marks::secondsText(block.end)});
            content.rows.append({QObject::tr("Duration"), marks::secondsText(block.end - block.start)});
            return content;
        }
    if (areaOf(plot, Lane::Backward, {.start = m_lanes.compute_seconds(), .end = m_lanes.seconds()}).contains(place)) {
        content.title = QObject::tr("Exposed communication");
        content.rows.append({QObject::tr("Duration"), marks::secondsText(m_lanes.exposed_seconds())});
        content.footnote = QObject::tr("The backward pass has ended, but gradients are still being reduced.");
    }
    return content;
}

QPainterPath OverlapScene::outlineOf(const QString &parameter, const QRectF &rect, int /*step*/) const {
    const QRectF plot = plotIn(rect);
    QPainterPath outline;
    if (parameter == QLatin1String("backward_seconds")) {
        outline.addRect(areaOf(plot, Lane::Backward, {.start = 0, .end = m_lanes.compute_seconds()}));
    } else if (parameter == QLatin1String("layers")) {
        for (const LaneBlock &block : m_lanes.backward)
            outline.addRect(areaOf(plot, Lane::Backward, block));
    } else if (parameter == QLatin1String("layer_communication_seconds") || parameter == QLatin1String("bucket_layers")
               || parameter == QLatin1String("latency")) {
        for (const LaneBlock &block : m_lanes.reductions)
            outline.addRect(areaOf(plot, Lane::Reductions, block));
    }
    return outline;
}

std::unique_ptr<PictureScene> makeOverlapScene(const Picture &picture) {
    return std::make_unique<OverlapScene>(
        overlap_lanes(int(picture.parameters.at("layers")), picture.parameters.at("backward_seconds"),
                      picture.parameters.at("layer_communication_seconds"), int(picture.parameters.at("bucket_layers")),
                      picture.parameters.at("latency")));
}

} // namespace meshwright
