// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/held_matrix.h"

#include "canvases/legend.h"
#include "pictures/picture_marks.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <bit>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal RankNames = 50;
constexpr qreal ShortRankNames = 22;
constexpr qreal RankNamesFrom = 190; ///< minimum width at which rows are named "rank 3" rather than "3"
constexpr qreal HeadHeight = 16;
constexpr qreal HeldLegend = 20;
constexpr qreal LargestCellHeight = 26;
constexpr qreal LargestCellWidth = 34;

} // namespace

HeldMatrix::HeldMatrix(int ranks, int chunks, const QRectF &rect)
    : m_ranks(ranks)
    , m_chunks(chunks)
    , m_rect(rect) {
    const qreal names = rect.width() >= RankNamesFrom ? RankNames : ShortRankNames;
    const qreal row = std::min(LargestCellHeight, (rect.height() - HeadHeight - HeldLegend) / ranks);
    const qreal room = rect.width() - names;
    const qreal column = chunks == 1 ? room : std::min(LargestCellWidth, room / chunks);
    m_cells = QRectF(rect.left() + names, rect.top() + HeadHeight, column * chunks, row * ranks);
}

QRectF HeldMatrix::area(int rank, int chunk) const {
    const qreal wide = m_cells.width() / m_chunks;
    const qreal high = m_cells.height() / m_ranks;
    const qreal gap = std::min(wide, high) > 8 ? 2 : 1;
    return {m_cells.left() + chunk * wide, m_cells.top() + rank * high, wide - gap, high - gap};
}

std::optional<HeldMatrix::Cell> HeldMatrix::cellAt(const QPointF &place) const {
    if (!m_cells.contains(place))
        return {};
    return Cell{.rank = std::min(m_ranks - 1, int((place.y() - m_cells.top()) / m_cells.height() * m_ranks)),
                .chunk = std::min(m_chunks - 1, int((place.x() - m_cells.left()) / m_cells.width() * m_chunks))};
}

QString HeldMatrix::textOf(int count) const {
    if (m_chunks > 1)
        return QString::number(count);
    return count == 1      ? QObject::tr("own values")
        : count == m_ranks ? QObject::tr("sum of all %1 ranks").arg(m_ranks)
                           : QObject::tr("sum of %1 of %2 ranks").arg(count).arg(m_ranks);
}

void HeldMatrix::paintNames(QPainter &painter, const Theme &theme) const {
    const QFont font = theme.font(TypeRole::Caption);
    const QColor ink = theme.colour(ColourRole::Text3);
    const qreal high = m_cells.height() / m_ranks;
    const int every = std::max(1, int(std::ceil(QFontMetricsF(font).ascent() / high)));
    const bool isLong = m_cells.left() - m_rect.left() >= RankNames;
    for (int rank = 0; rank < m_ranks; rank += every)
        marks::text(painter, QRectF(m_rect.left(), area(rank, 0).top(), m_cells.left() - m_rect.left() - 6, high - 1),
                    Qt::AlignRight | Qt::AlignVCenter,
                    isLong ? QObject::tr("rank %1").arg(rank) : QString::number(rank), font, ink);
    if (m_chunks == 1)
        return;
    const qreal wide = m_cells.width() / m_chunks;
    const int step =
        std::max(1, int(std::ceil((QFontMetricsF(font).horizontalAdvance(QStringLiteral("00")) + 2) / wide)));
    const QRectF head(m_rect.left() - 12, m_rect.top(), m_cells.left() - m_rect.left() + 6, HeadHeight - 2);
    marks::text(painter, head, Qt::AlignRight | Qt::AlignVCenter, QObject::tr("chunk"), font, ink);
    for (int chunk = 0; chunk < m_chunks; chunk += step) {
        const qreal middle = area(0, chunk).center().x();
        const qreal half = std::min(wide * step / 2, m_rect.right() - middle);
        marks::text(painter, QRectF(middle - half, m_rect.top(), 2 * half, HeadHeight - 2), Qt::AlignCenter,
                    QString::number(chunk), font, ink);
    }
}

void HeldMatrix::paint(QPainter &painter, const HeldChunks &held, const CollectiveStep *step,
                       const Theme &theme) const {
    paintNames(painter, theme);
    const QFont font = theme.font(TypeRole::Caption);
    const bool hasRoom = m_cells.height() / m_ranks >= QFontMetricsF(font).ascent() + 2;
    const qreal radius = std::min(3.0, m_cells.height() / m_ranks / 4);
    for (int rank = 0; rank < m_ranks; ++rank)
        for (int chunk = 0; chunk < m_chunks; ++chunk) {
            const int count = std::popcount(held[rank][chunk]);
            // Colors range from the surface color to the full color, so that sums visibly grow.
            constexpr qreal least = 0.12;
            constexpr qreal reach = 0.68;
            const qreal grown = m_ranks > 2 ? (count - 1.0) / (m_ranks - 1) : 0;
            const QColor fill = count == m_ranks
                ? theme.fill(Kind::Green)
                : mixed(theme.colour(ColourRole::Field), theme.fill(Kind::Blue), least + reach * grown);
            surfaces::rounded(painter, area(rank, chunk), radius, fill);
            if (hasRoom)
                marks::text(painter, area(rank, chunk).adjusted(1, 0, -1, 0), Qt::AlignCenter, textOf(count), font,
                            count == m_ranks ? theme.label(Kind::Green) : marks::inkOn(fill, theme));
        }
    if (step != nullptr)
        for (const ChunkMessage &message : step->messages)
            for (int chunk = message.first_chunk; chunk < message.first_chunk + message.chunks; ++chunk)
                surfaces::rounded(painter, area(message.to, chunk), radius, {}, theme.colour(ColourRole::Text), 1.5);
    const QRectF legend(m_rect.left(), m_cells.bottom() + 4, m_rect.width(), HeldLegend - 4);
    Legend::paint(painter, legend, {{QObject::tr("partial"), Kind::Blue}, {QObject::tr("complete"), Kind::Green}},
                  theme);
}

} // namespace meshwright
