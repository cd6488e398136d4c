// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pictures/collective_steps.h"

#include <QRectF>
#include <QString>

#include <optional>

class QPainter;

namespace meshwright {

class Theme;

/// A matrix of ranks and chunks. The fill of a cell shows how many ranks have contributed to its partial sum.
class HeldMatrix {
public:
    struct Cell {
        int rank;
        int chunk;
    };

    HeldMatrix(int ranks, int chunks, const QRectF &rect);

    std::optional<Cell> cellAt(const QPointF &place) const;
    const QRectF &cells() const { return m_cells; } ///< area of all cells
    /// @param step  step whose arrivals are outlined; null for none
    void paint(QPainter &painter, const HeldChunks &held, const CollectiveStep *step, const Theme &theme) const;

private:
    QRectF area(int rank, int chunk) const;
    void paintNames(QPainter &painter, const Theme &theme) const;
    QString textOf(int count) const;

    int m_ranks;
    int m_chunks;
    QRectF m_rect;
    QRectF m_cells;
};

} // namespace meshwright
