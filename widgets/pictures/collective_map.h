// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pictures/collective_steps.h"

#include <QPainterPath>
#include <QPointF>
#include <QRectF>

class QPainter;

namespace meshwright {

class Theme;

enum class CollectiveShape { Ring, Tree, Star, Nodes };

/// The positions of ranks in a drawing, and the paths between them.
class CollectiveMap {
public:
    /// @param ranksPerNode  ranks per node for CollectiveShape::Nodes
    CollectiveMap(CollectiveShape shape, int ranks, int ranksPerNode, const QRectF &rect);

    QPointF place(int rank) const;
    qreal radius() const { return m_radius; } ///< radius of a rank's disc
    QRectF nodeBox(int node) const;
    /// Maximum height of a token in transit.
    qreal tokenHeight() const;
    /// The rank whose disc is at this place; -1 for none.
    int rankAt(const QPointF &place) const;
    /// Path of a message from the edge of the sender's disc to the edge of the receiver's disc.
    QPainterPath way(const ChunkMessage &message) const;
    /// Paints the links, then the boxes of nodes and the discs of ranks.
    void paint(QPainter &painter, const Theme &theme) const;

private:
    /// A rank's place at a level of the tree; level 0 is at the bottom.
    QPointF treePlace(int rank, int level) const;
    int levels() const;
    /// A node's ring goes down one column and up the other.
    bool hasTwoColumns() const { return m_ranksPerNode > 2; }
    int rowsOfNode() const { return hasTwoColumns() ? (m_ranksPerNode + 1) / 2 : m_ranksPerNode; }
    qreal rowHeight() const;
    QPointF placeInNode(int rank) const;
    qreal angleOf(double rank) const;
    QPainterPath ringWay(int from, int to) const;
    QPainterPath straightWay(QPointF from, QPointF to) const;
    QPainterPath nodeWay(int from, int to) const;
    /// Interval between numbered ranks: 1, or a power of two if the numbers would otherwise touch.
    int numbersEvery(const Theme &theme) const;
    void paintTree(QPainter &painter, const Theme &theme) const;
    void paintNodes(QPainter &painter, const Theme &theme) const;

    CollectiveShape m_shape;
    int m_ranks;
    int m_ranksPerNode;
    QRectF m_rect;
    qreal m_radius = 0;
    qreal m_circle = 0; ///< radius of the circle of ranks
};

} // namespace meshwright
