// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/collective_scene.h"

#include "pictures/held_matrix.h"
#include "pictures/picture_marks.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <bit>

namespace meshwright {
namespace {

constexpr qreal StripHeight = 30;
constexpr qreal StripBar = 8;
constexpr qreal Gap = 12;

QString partText(CollectivePart part) {
    switch (part) {
    case CollectivePart::reduce_scatter:
        return QObject::tr("Reduce-scatter");
    case CollectivePart::all_gather:
        return QObject::tr("All-gather");
    case CollectivePart::reduce:
        return QObject::tr("Reduce");
    case CollectivePart::broadcast:
        break;
    }
    return QObject::tr("Broadcast");
}

QString phaseText(const CollectiveStep &step) {
    switch (step.scope) {
    case CollectiveScope::within_nodes:
        return QObject::tr("%1 within nodes").arg(partText(step.part));
    case CollectiveScope::between_nodes:
        return QObject::tr("%1 between nodes").arg(partText(step.part));
    case CollectiveScope::all_ranks:
        break;
    }
    return partText(step.part);
}

bool adds(const CollectiveStep &step) {
    return step.part == CollectivePart::reduce_scatter || step.part == CollectivePart::reduce;
}

/// Messages have the color of what they carry: partial or complete sums.
Kind kindOf(const CollectiveStep &step) {
    return adds(step) ? Kind::Blue : Kind::Green;
}

} // namespace

CollectiveScene::CollectiveScene(About about, CollectiveSteps steps)
    : m_about(std::move(about))
    , m_all(std::move(steps)) { }

const CollectiveStep *CollectiveScene::stepOf(int number) const {
    return number <= 0 ? nullptr : &m_all.steps[std::min(number, lastStep()) - 1];
}

/// The message with chunk 0, which the caption describes.
const ChunkMessage &CollectiveScene::narrated(const CollectiveStep &step) const {
    const auto found = std::find_if(step.messages.begin(), step.messages.end(),
                                    [](const ChunkMessage &message) { return message.first_chunk == 0; });
    return found != step.messages.end() ? *found : step.messages.front();
}

QString CollectiveScene::chunksOf(const ChunkMessage &message) const {
    if (message.chunks == 1)
        return QObject::tr("chunk %1").arg(message.first_chunk);
    return QObject::tr("chunks %1 to %2").arg(message.first_chunk).arg(message.first_chunk + message.chunks - 1);
}

double CollectiveScene::secondsAfter(int steps) const {
    double seconds = 0;
    for (int step = 1; step <= steps; ++step)
        seconds += stepOf(step)->seconds;
    return seconds;
}

double CollectiveScene::stripEnd(int steps) const {
    const double total = m_all.seconds();
    return total > 0 ? secondsAfter(steps) / total : double(steps) / lastStep();
}

QString CollectiveScene::sentence(int number) const {
    const CollectiveStep *step = stepOf(number);
    if (step == nullptr) {
        const QString bytes = marks::bytesText(m_about.bytes);
        return m_all.chunks == 1
            ? QObject::tr("Start: each of %1 ranks holds its own values, %2.").arg(m_all.ranks).arg(bytes)
            : QObject::tr("Start: each of %1 ranks holds its own values, %2 in %3 chunks.")
                  .arg(m_all.ranks)
                  .arg(bytes)
                  .arg(m_all.chunks);
    }
    const ChunkMessage &message = narrated(*step);
    const int summed = std::popcount(m_all.held_after(number - 1)[message.from][message.first_chunk]);
    const QString what = m_all.chunks > 1 ? chunksOf(message)
        : !adds(*step)                    ? QObject::tr("the sum")
        : summed == 1                     ? QObject::tr("its values")
                                          : QObject::tr("its sum over %1 ranks").arg(summed);
    const bool areSeveral = m_all.chunks > 1 ? message.chunks > 1 : adds(*step) && summed == 1;
    const QString pattern = adds(*step) ? areSeveral
            ? QObject::tr("Step %1 of %2: rank %3 sends %4 to rank %5, which adds them to its own")
            : QObject::tr("Step %1 of %2: rank %3 sends %4 to rank %5, which adds it to its own")
        : m_all.chunks > 1 ? QObject::tr("Step %1 of %2: rank %3 sends %4, complete, to rank %5")
                                        : QObject::tr("Step %1 of %2: rank %3 sends %4 to rank %5");
    QString text = pattern.arg(number).arg(lastStep()).arg(message.from).arg(what).arg(message.to);
    if (m_about.shape == CollectiveShape::Star)
        text += QObject::tr(". Only one link is busy");
    else if (step->messages.size() > 1)
        text += QObject::tr(". %1 messages are sent at the same time").arg(step->messages.size());
    if (number == lastStep())
        text += QObject::tr(". Now every rank has the complete sum");
    return text + QLatin1Char('.');
}

CollectiveScene::Areas CollectiveScene::areasIn(const QRectF &rect) const {
    Areas areas;
    areas.heading = QRectF(rect.left(), rect.top(), rect.width(), marks::HeadingHeight);
    areas.strip = QRectF(rect.left(), rect.bottom() - StripHeight, rect.width(), StripHeight);
    const QRectF middle(rect.left(), areas.heading.bottom() + 6, rect.width(),
                        areas.strip.top() - areas.heading.bottom() - 10);
    const bool isRound = m_about.shape == CollectiveShape::Ring || m_about.shape == CollectiveShape::Star;
    constexpr qreal share = 0.54;
    const qreal matrixRoom = m_all.chunks == 1 ? 150 : 200;
    qreal wide = isRound ? std::min(rect.width() * 0.5, middle.height() * 1.25)
                         : std::max(rect.width() * share, rect.width() - 2.4 * matrixRoom);
    if (isRound && rect.width() - wide < matrixRoom)
        wide = rect.width() * 0.46;
    areas.map = QRectF(middle.left(), middle.top(), wide, middle.height());
    areas.matrix =
        QRectF(areas.map.right() + Gap, middle.top(), middle.right() - areas.map.right() - Gap, middle.height());
    return areas;
}

CollectiveMap CollectiveScene::mapIn(const Areas &areas) const {
    return {m_about.shape, m_all.ranks, m_about.ranksPerNode, areas.map};
}

void CollectiveScene::paintHeading(QPainter &painter, const QRectF &rect, int step, const Theme &theme) const {
    const CollectiveStep *now = stepOf(step);
    const QString time =
        QObject::tr("%1 of %2").arg(marks::secondsText(secondsAfter(step)), marks::secondsText(m_all.seconds()));
    const QFont font = theme.font(TypeRole::Body);
    marks::text(painter, rect, Qt::AlignRight | Qt::AlignVCenter, time, font, theme.colour(ColourRole::Text2));
    const QString phase = now != nullptr ? phaseText(*now) : QObject::tr("Before the first step");
    QRectF left = rect;
    left.setRight(rect.right() - QFontMetricsF(font).horizontalAdvance(time) - Gap);
    if (now != nullptr) {
        surfaces::rounded(painter, QRectF(left.left(), left.center().y() - 5, 10, 10), Theme::radius(Corner::Mark),
                          theme.fill(kindOf(*now)));
        left.setLeft(left.left() + 16);
    }
    marks::text(painter, left, Qt::AlignLeft | Qt::AlignVCenter, phase,
                theme.font(TypeRole::Body, TextWeight::SemiBold), theme.colour(ColourRole::Text));
}

void CollectiveScene::paintMessages(QPainter &painter, const CollectiveMap &map, const PictureMoment &moment,
                                    const Theme &theme) const {
    const CollectiveStep *step = stepOf(moment.step);
    if (step == nullptr)
        return;
    const ChunkMessage &told = narrated(*step);
    for (const ChunkMessage &message : step->messages)
        marks::arrow(painter, map.way(message), theme.fill(kindOf(*step)), &message == &told ? 2 : 1.5);
    // Draws the message of the caption after all others, so that it is on top.
    for (const bool isTold : {false, true})
        for (const ChunkMessage &message : step->messages) {
            if ((&message == &told) != isTold)
                continue;
            constexpr double begin = 0.2;
            constexpr double end = 0.55;
            const QPainterPath way = map.way(message);
            const QString label = m_all.chunks == 1 ? QString()
                : message.chunks == 1
                ? QString::number(message.first_chunk)
                : QStringLiteral("%1–%2").arg(message.first_chunk).arg(message.first_chunk + message.chunks - 1);
            marks::token(painter, way.pointAtPercent(begin + (end - begin) * moment.progress), map.tokenHeight(), label,
                         kindOf(*step),
                         isTold && step->messages.size() > 1 ? marks::Emphasis::Outlined : marks::Emphasis::Plain,
                         theme);
        }
}

void CollectiveScene::paintStrip(QPainter &painter, const QRectF &rect, const PictureMoment &moment,
                                 const Theme &theme) const {
    const qreal wide = rect.width();
    for (int step = 1; step <= lastStep(); ++step) {
        const qreal left = rect.left() + wide * stripEnd(step - 1);
        const qreal right = rect.left() + wide * stripEnd(step);
        const qreal gap = right - left > 4 ? 1 : 0;
        const Kind kind = kindOf(*stepOf(step));
        const bool isDone = step <= moment.step;
        constexpr qreal faint = 0.72;
        const QColor fill = isDone ? theme.fill(kind) : mixed(theme.fill(kind), theme.colour(ColourRole::Card), faint);
        const bool isBetween = stepOf(step)->scope == CollectiveScope::between_nodes;
        const QRectF bar(left, rect.top() + 4, std::max(0.5, right - left - gap), StripBar);
        surfaces::rounded(painter, bar, Theme::radius(Corner::Mark), fill);
        if (isBetween)
            surfaces::hatch(painter, bar, mixed(theme.colour(ColourRole::Card), fill, isDone ? 0.35 : 0.6));
    }
    const double start = stripEnd(std::max(0, moment.step - 1));
    const qreal now = rect.left() + wide * (start + (stripEnd(moment.step) - start) * moment.progress);
    painter.fillRect(QRectF(std::clamp(now - 1, rect.left(), rect.right() - 2), rect.top(), 2, StripBar + 8),
                     theme.colour(ColourRole::Text));
    const QFont font = theme.font(TypeRole::Caption);
    const QRectF line(rect.left(), rect.top() + StripBar + 8, wide, 14);
    const QString total = QObject::tr("%1 steps").arg(lastStep());
    marks::text(painter, line, Qt::AlignRight | Qt::AlignVCenter, total, font, theme.colour(ColourRole::Text3));
    const QRectF left = line.adjusted(0, 0, -QFontMetricsF(font).horizontalAdvance(total) - Gap, 0);
    marks::text(painter, left, Qt::AlignLeft | Qt::AlignVCenter, m_about.note, font, theme.colour(ColourRole::Text2));
}

void CollectiveScene::paint(QPainter &painter, const QRectF &rect, const PictureMoment &moment,
                            const Theme &theme) const {
    const Areas areas = areasIn(rect);
    const bool hasArrived = moment.progress >= 1;
    paintHeading(painter, areas.heading, moment.step, theme);
    const CollectiveMap map = mapIn(areas);
    map.paint(painter, theme);
    paintMessages(painter, map, moment, theme);
    HeldMatrix(m_all.ranks, m_all.chunks, areas.matrix)
        .paint(painter, m_all.held_after(hasArrived ? moment.step : moment.step - 1), stepOf(moment.step), theme);
    paintStrip(painter, areas.strip, moment, theme);
}

HoverContent CollectiveScene::describeCell(int rank, int chunk, int step) const {
    const Contributors held = m_all.held_after(step)[rank][chunk];
    const int count = std::popcount(held);
    HoverContent content;
    content.title =
        m_all.chunks == 1 ? QObject::tr("Rank %1").arg(rank) : QObject::tr("Rank %1, chunk %2").arg(rank).arg(chunk);
    content.rows.append({QObject::tr("Size"), marks::bytesText(m_about.bytes / m_all.chunks)});
    content.rows.append({QObject::tr("Summed over"), QObject::tr("%1 of %2 ranks").arg(count).arg(m_all.ranks)});
    QStringList ranks;
    for (int from = 0; from < m_all.ranks; ++from)
        if ((held >> from & 1U) != 0)
            ranks.append(QString::number(from));
    content.footnote = count == m_all.ranks ? QObject::tr("The sum is complete.")
                                            : QObject::tr("Ranks included: %1").arg(ranks.join(QStringLiteral(", ")));
    return content;
}

HoverContent CollectiveScene::describeRank(int rank, int number) const {
    HoverContent content;
    content.title = QObject::tr("Rank %1").arg(rank);
    if (const CollectiveStep *step = stepOf(number)) {
        for (const ChunkMessage &message : step->messages) {
            const QString what = m_all.chunks == 1 ? marks::bytesText(step->bytes) : chunksOf(message);
            if (message.from == rank)
                content.rows.append({QObject::tr("Sends to rank %1").arg(message.to), what});
            if (message.to == rank)
                content.rows.append({QObject::tr("Receives from rank %1").arg(message.from), what});
        }
        if (content.rows.isEmpty())
            content.footnote = QObject::tr("Idle in this step");
    }
    return content;
}

HoverContent CollectiveScene::describeStep(int number) const {
    const CollectiveStep &step = *stepOf(number);
    HoverContent content;
    content.title = QObject::tr("Step %1: %2").arg(number).arg(phaseText(step));
    content.swatch = Theme::current().fill(kindOf(step));
    content.rows.append({QObject::tr("Time"), marks::secondsText(step.seconds)});
    content.rows.append({QObject::tr("Concurrent messages"), QString::number(step.messages.size())});
    content.rows.append({QObject::tr("Size of a message"), marks::bytesText(step.bytes)});
    return content;
}

HoverContent CollectiveScene::describe(const QPointF &place, const QRectF &rect, int step) const {
    const Areas areas = areasIn(rect);
    if (const auto cell = HeldMatrix(m_all.ranks, m_all.chunks, areas.matrix).cellAt(place))
        return describeCell(cell->rank, cell->chunk, step);
    if (const int rank = mapIn(areas).rankAt(place); rank >= 0)
        return describeRank(rank, step);
    if (!areas.strip.contains(place))
        return {};
    int under = 1;
    while (under < lastStep() && areas.strip.left() + areas.strip.width() * stripEnd(under) < place.x())
        ++under;
    return describeStep(under);
}

QPainterPath CollectiveScene::waysOf(const CollectiveMap &map, CollectiveScope scope, int number) const {
    const auto isIn = [scope](const CollectiveStep &step) { return step.scope == scope; };
    const CollectiveStep *step = stepOf(number);
    if (step == nullptr || !isIn(*step)) {
        const auto found = std::find_if(m_all.steps.begin(), m_all.steps.end(), isIn);
        step = found != m_all.steps.end() ? &*found : nullptr;
    }
    QPainterPath ways;
    if (step != nullptr)
        for (const ChunkMessage &message : step->messages)
            ways.addPath(map.way(message));
    return ways;
}

QPainterPath CollectiveScene::outlineOf(const QString &parameter, const QRectF &rect, int step) const {
    const Areas areas = areasIn(rect);
    const CollectiveMap map = mapIn(areas);
    QPainterPath outline;
    if (parameter == QLatin1String("ranks") || parameter == QLatin1String("ranks_per_node")) {
        const int ranks = parameter == QLatin1String("ranks") ? m_all.ranks : m_about.ranksPerNode;
        for (int rank = 0; rank < ranks; ++rank)
            outline.addEllipse(map.place(rank), map.radius(), map.radius());
    } else if (parameter == QLatin1String("nodes")) {
        for (int node = 0; node < m_all.ranks / m_about.ranksPerNode; ++node)
            outline.addRect(map.nodeBox(node));
    } else if (parameter == QLatin1String("bytes")) {
        outline.addRect(HeldMatrix(m_all.ranks, m_all.chunks, areas.matrix).cells());
    } else if (parameter == QLatin1String("bandwidth")) {
        outline = waysOf(map, CollectiveScope::all_ranks, step);
    } else if (parameter == QLatin1String("fast_bandwidth")) {
        outline = waysOf(map, CollectiveScope::within_nodes, step);
    } else if (parameter == QLatin1String("slow_bandwidth") || parameter == QLatin1String("slow_links_per_node")) {
        outline = waysOf(map, CollectiveScope::between_nodes, step);
    } else if (parameter == QLatin1String("latency")) {
        outline.addRect(areas.strip.left(), areas.strip.top() + 4, areas.strip.width(), StripBar); // the steps' times
    }
    return outline;
}

} // namespace meshwright
