// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_list.h"

#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal Swatch = 8;
constexpr qreal Gap = 8;
constexpr qreal BarHeight = 2;
constexpr int PreferredWidth = 240;

} // namespace

MemoryList::MemoryList(QWidget *parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    connect(Theme::notifier(), &ThemeNotifier::changed, this, &MemoryList::updateGeometry);
}

void MemoryList::setEntries(const std::vector<MemoryEntry> &entries) {
    if (m_entries == entries)
        return;
    m_entries = entries;
    m_current = 0;
    QStringList said;
    for (const MemoryEntry &entry : entries)
        said.append(entry.name + QLatin1Char(' ') + figureText(entry.bytes, Quantity::bytes));
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize MemoryList::sizeHint() const {
    return {PreferredWidth, static_cast<int>(m_entries.size()) * RowHeight};
}

QSize MemoryList::minimumSizeHint() const {
    return {120, sizeHint().height()};
}

FigureRef MemoryList::figureOf(int row) const {
    return row < 0 || row >= static_cast<int>(m_entries.size()) ? FigureRef()
                                                                : m_entries[static_cast<std::size_t>(row)].figure;
}

QList<FigureRef> MemoryList::figures() const {
    QList<FigureRef> all;
    for (const MemoryEntry &entry : m_entries)
        if (!entry.figure.isEmpty())
            all << entry.figure;
    return all;
}

FigureRef MemoryList::figureAt(const QPoint &place) const {
    return place.y() < 0 ? FigureRef() : figureOf(place.y() / RowHeight);
}

bool MemoryList::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int row = help->pos().y() / RowHeight;
    if (row < 0 || row >= static_cast<int>(m_entries.size()))
        return QWidget::event(event);
    const MemoryEntry &entry = m_entries[static_cast<std::size_t>(row)];
    QToolTip::showText(help->globalPos(), entry.name + QStringLiteral(": ") + figureText(entry.bytes, Quantity::bytes),
                       this);
    return true;
}

void MemoryList::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        wantFigure(this, figureAt(event->pos()));
}

void MemoryList::keyPressEvent(QKeyEvent *event) {
    const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (step != 0) {
        m_current = std::clamp(m_current + step, 0, std::max(0, static_cast<int>(m_entries.size()) - 1));
        update();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) {
        wantFigure(this, currentFigure());
    } else {
        QWidget::keyPressEvent(event);
    }
}

void MemoryList::paintEvent(QPaintEvent *event) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont nameFont = theme.font(TypeRole::Body);
    const QFont valueFont = theme.font(TypeRole::Body, TextWeight::SemiBold);
    const QFontMetricsF names(nameFont);
    const QFontMetricsF values(valueFont);
    double largest = 0;
    for (const MemoryEntry &entry : m_entries)
        largest = std::max(largest, entry.bytes);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const QRectF row(0, static_cast<qreal>(i) * RowHeight, width(), RowHeight);
        if (!row.intersects(event->rect()))
            continue;
        const MemoryEntry &entry = m_entries[i];
        if (showsFocusRing(this) && static_cast<int>(i) == m_current)
            surfaces::focusRing(painter, row.adjusted(0, 1, 0, -1).toAlignedRect(), 4, theme);
        const QString value = figureText(entry.bytes, Quantity::bytes);
        const qreal baseline = std::round(row.center().y() - 1 + (names.ascent() - names.descent()) / 2);
        surfaces::rounded(painter, QRectF(0, std::round(row.center().y() - 1 - Swatch / 2), Swatch, Swatch), 2,
                          theme.fill(entry.kind));
        const qreal valueLeft = row.right() - values.horizontalAdvance(value);
        painter.setFont(nameFont);
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(Swatch + Gap, baseline),
                         names.elidedText(entry.name, Qt::ElideRight, valueLeft - Swatch - 2 * Gap));
        painter.setFont(valueFont);
        painter.setPen(theme.colour(ColourRole::Text));
        painter.drawText(QPointF(valueLeft, baseline), value);
        const QRectF track(Swatch + Gap, row.bottom() - BarHeight - 1, row.width() - Swatch - Gap, BarHeight);
        surfaces::rounded(painter, track, BarHeight / 2, theme.colour(ColourRole::Field));
        const qreal share = largest > 0 ? std::max(0.0, entry.bytes / largest) : 0;
        if (share > 0)
            surfaces::rounded(painter, QRectF(track.left(), track.top(), track.width() * share, BarHeight),
                              BarHeight / 2, theme.fill(entry.kind));
    }
}

} // namespace meshwright
