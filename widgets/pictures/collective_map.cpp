// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/collective_map.h"

#include "pictures/picture_marks.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QLineF>
#include <QPainter>
#include <QtMath>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace meshwright {
namespace {

constexpr qreal LargestRadius = 13;
constexpr qreal TokenRoom = 18; ///< space around a ring for the chunks that move
constexpr qreal ArrowGap = 2;
constexpr qreal NodeCaption = 18;

} // namespace

CollectiveMap::CollectiveMap(CollectiveShape shape, int ranks, int ranksPerNode, const QRectF &rect)
    : m_shape(shape)
    , m_ranks(ranks)
    , m_ranksPerNode(ranksPerNode)
    , m_rect(rect) {
    const qreal side = std::min(rect.width(), rect.height());
    switch (shape) {
    case CollectiveShape::Ring:
    case CollectiveShape::Star: {
        const int around = shape == CollectiveShape::Star ? std::max(2, ranks - 1) : ranks;
        const qreal margin = shape == CollectiveShape::Ring ? TokenRoom : 1;
        // Neighboring discs are a third of their diameter apart.
        const qreal half = std::sin(M_PI / around);
        m_radius = std::clamp((side / 2 - margin) * half / (4.0 / 3 + half), 3.0, LargestRadius);
        m_circle = std::max(m_radius, side / 2 - margin - m_radius);
        break;
    }
    case CollectiveShape::Tree:
        m_radius =
            std::clamp(std::min(rect.width() / ranks, rect.height() / (levels() + 1.0)) * 0.42, 3.0, LargestRadius);
        break;
    case CollectiveShape::Nodes: {
        const qreal column = nodeBox(0).width() / (hasTwoColumns() ? 2 : 1);
        m_radius = std::clamp(std::min(rowHeight(), column) * 0.3, 3.0, LargestRadius);
        break;
    }
    }
}

qreal CollectiveMap::tokenHeight() const {
    constexpr qreal least = 5;
    if (m_shape != CollectiveShape::Nodes || m_ranksPerNode < 2)
        return marks::TokenHeight;
    return std::clamp(rowHeight() - 2 * m_radius, least, marks::TokenHeight);
}

int CollectiveMap::levels() const {
    int levels = 0;
    while ((1 << levels) < m_ranks)
        ++levels;
    return levels;
}

/// Angle of a rank on the ring, clockwise from the top.
qreal CollectiveMap::angleOf(double rank) const {
    return 2 * M_PI * rank / m_ranks - M_PI / 2;
}

QPointF CollectiveMap::treePlace(int rank, int level) const {
    const qreal pitch = m_rect.width() / m_ranks;
    const int last = std::min(rank + (1 << level), m_ranks) - 1;
    const qreal rise = levels() > 0 ? (m_rect.height() - 2 * m_radius) / levels() : 0;
    return {m_rect.left() + pitch * ((rank + last) / 2.0 + 0.5), m_rect.bottom() - m_radius - level * rise};
}

QRectF CollectiveMap::nodeBox(int node) const {
    const int nodes = m_ranks / m_ranksPerNode;
    const qreal pitch = m_rect.width() / nodes;
    const qreal gap = std::min(pitch * 0.35, 40.0);
    return {m_rect.left() + node * pitch + gap / 2, m_rect.top(), pitch - gap, m_rect.height()};
}

qreal CollectiveMap::rowHeight() const {
    return (m_rect.height() - NodeCaption) / rowsOfNode();
}

QPointF CollectiveMap::placeInNode(int rank) const {
    const QRectF box = nodeBox(rank / m_ranksPerNode);
    const int member = rank % m_ranksPerNode;
    const bool isBack = member >= rowsOfNode();
    const int row = isBack ? rowsOfNode() - 1 - (member - rowsOfNode()) : member;
    constexpr qreal aside = 0.23; // horizontal offset from the middle, as a fraction of the box width
    const qreal x = hasTwoColumns() ? box.center().x() + (isBack ? aside : -aside) * box.width() : box.center().x();
    return {x, box.top() + NodeCaption + rowHeight() * (row + 0.5)};
}

QPointF CollectiveMap::place(int rank) const {
    switch (m_shape) {
    case CollectiveShape::Tree:
        return treePlace(rank, 0);
    case CollectiveShape::Nodes:
        return placeInNode(rank);
    case CollectiveShape::Star:
        if (rank == 0)
            return m_rect.center();
        return m_rect.center()
            + m_circle
            * QPointF(std::cos(2 * M_PI * (rank - 1) / (m_ranks - 1) - M_PI / 2),
                      std::sin(2 * M_PI * (rank - 1) / (m_ranks - 1) - M_PI / 2));
    case CollectiveShape::Ring:
        break;
    }
    return m_rect.center() + m_circle * QPointF(std::cos(angleOf(rank)), std::sin(angleOf(rank)));
}

int CollectiveMap::rankAt(const QPointF &place) const {
    for (int rank = 0; rank < m_ranks; ++rank)
        if (QLineF(this->place(rank), place).length() <= std::max(m_radius, 6.0))
            return rank;
    return -1;
}

QPainterPath CollectiveMap::ringWay(int from, int to) const {
    constexpr int points = 12;
    const qreal circle = m_circle + m_radius + TokenRoom / 2;
    const double steps = (to - from + m_ranks) % m_ranks;
    QPainterPath path;
    for (int i = 0; i <= points; ++i) {
        const qreal angle = angleOf(from + steps * i / points);
        const QPointF at = m_rect.center() + circle * QPointF(std::cos(angle), std::sin(angle));
        if (i == 0)
            path.moveTo(at);
        else
            path.lineTo(at);
    }
    return path;
}

QPainterPath CollectiveMap::straightWay(QPointF from, QPointF to) const {
    const QLineF line(from, to);
    const qreal off = (m_radius + ArrowGap) / std::max(line.length(), 1.0);
    QPainterPath path(line.pointAt(std::min(off, 0.45)));
    path.lineTo(line.pointAt(1 - std::min(off, 0.45)));
    return path;
}

/// If nodes have two columns, messages within a node take a straight path. If nodes have one column, messages to a
/// higher rank do. All other paths curve around the discs in between: to the side if the message stays in its node,
/// above or below the discs if it goes to another node.
QPainterPath CollectiveMap::nodeWay(int from, int to) const {
    const bool isWithin = from / m_ranksPerNode == to / m_ranksPerNode;
    const bool isBack = to < from;
    if (hasTwoColumns() ? isWithin : !isBack)
        return straightWay(place(from), place(to));
    constexpr qreal part = 0.35;
    constexpr qreal most = 18;
    const qreal bulge = m_radius + ArrowGap + std::min(part * rowHeight(), most);
    const QPointF side = isWithin ? QPointF(bulge, 0) : QPointF(0, isBack ? bulge : -bulge);
    const QPointF off = (m_radius + ArrowGap) / bulge * side;
    QPainterPath path(place(from) + off);
    path.cubicTo(place(from) + side, place(to) + side, place(to) + off);
    return path;
}

QPainterPath CollectiveMap::way(const ChunkMessage &message) const {
    switch (m_shape) {
    case CollectiveShape::Ring:
        return ringWay(message.from, message.to);
    case CollectiveShape::Nodes:
        return nodeWay(message.from, message.to);
    case CollectiveShape::Star:
        return straightWay(place(message.from), place(message.to));
    case CollectiveShape::Tree:
        break;
    }
    int level = 0;
    while ((1 << level) < std::abs(message.from - message.to))
        ++level;
    const bool isUp = message.from > message.to;
    return straightWay(treePlace(message.from, isUp ? level : level + 1),
                       treePlace(message.to, isUp ? level + 1 : level));
}

int CollectiveMap::numbersEvery(const Theme &theme) const {
    const QFontMetricsF metrics(theme.font(TypeRole::Caption, TextWeight::Medium));
    const qreal wide = metrics.horizontalAdvance(QString::number(m_ranks - 1)) + 1;
    const qreal apart =
        m_shape == CollectiveShape::Nodes ? wide : QLineF(place(1), place(m_ranks > 2 ? 2 : 0)).length();
    int every = 1;
    while (apart * every < wide && every < m_ranks)
        every *= 2;
    return every;
}

void CollectiveMap::paintTree(QPainter &painter, const Theme &theme) const {
    painter.setPen(QPen(theme.colour(ColourRole::LineStrong), 1));
    for (int level = 0; level < levels(); ++level)
        for (int rank = 0; rank < m_ranks; rank += 1 << level)
            painter.drawLine(treePlace(rank, level), treePlace(rank & ~((2 << level) - 1), level + 1));
    const int every = numbersEvery(theme);
    for (int level = levels(); level >= 0; --level)
        for (int rank = 0; rank < m_ranks; rank += 1 << level)
            marks::disc(painter, treePlace(rank, level), m_radius,
                        rank % every == 0 || level > 0 ? QString::number(rank) : QString(), theme);
}

void CollectiveMap::paintNodes(QPainter &painter, const Theme &theme) const {
    for (int node = 0; node * m_ranksPerNode < m_ranks; ++node) {
        const QRectF box = nodeBox(node);
        surfaces::rounded(painter, box, Theme::radius(Corner::Field), theme.colour(ColourRole::Field),
                          theme.colour(ColourRole::Line));
        const QRectF caption(box.left(), box.top() + 2, box.width(), 14);
        const QString name = QObject::tr("node %1").arg(node);
        const QFont font = theme.font(TypeRole::Caption);
        const bool fits = QFontMetricsF(font).horizontalAdvance(name) <= caption.width();
        marks::text(painter, caption, Qt::AlignCenter, fits ? name : QString::number(node), font,
                    theme.colour(ColourRole::Text3));
    }
}

void CollectiveMap::paint(QPainter &painter, const Theme &theme) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.colour(ColourRole::LineStrong), 1));
    switch (m_shape) {
    case CollectiveShape::Tree:
        paintTree(painter, theme);
        painter.restore();
        return;
    case CollectiveShape::Nodes:
        paintNodes(painter, theme);
        break;
    case CollectiveShape::Ring:
        painter.drawEllipse(m_rect.center(), m_circle, m_circle);
        break;
    case CollectiveShape::Star:
        for (int rank = 1; rank < m_ranks; ++rank)
            painter.drawLine(place(0), place(rank));
        break;
    }
    const int every = numbersEvery(theme);
    for (int rank = 0; rank < m_ranks; ++rank)
        marks::disc(painter, place(rank), m_radius, rank % every == 0 ? QString::number(rank) : QString(), theme);
    painter.restore();
}

} // namespace meshwright
