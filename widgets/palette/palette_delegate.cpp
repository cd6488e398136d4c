// SPDX-License-Identifier: GPL-3.0-or-later
#include "palette/palette_delegate.h"

#include "palette/palette_model.h"
#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>
#include <QTextLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int padding = 12;
constexpr int iconSize = 16;
constexpr int valueGap = 12;

void drawTitle(QPainter &painter, const QRect &area, const QString &title, const QVector<int> &found,
               const Theme &theme) {
    const QFontMetrics metrics(theme.font(TypeRole::Body));
    const QString shown = metrics.elidedText(title, Qt::ElideRight, area.width());
    QTextLayout layout(shown, theme.font(TypeRole::Body));
    QTextCharFormat format;
    format.setForeground(theme.colour(ColourRole::Accent));
    format.setFont(theme.font(TypeRole::Body, TextWeight::SemiBold));
    QList<QTextLayout::FormatRange> ranges;
    for (const int at : found)
        if (at < shown.size())
            ranges.append({at, 1, format});
    layout.setFormats(ranges);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(area.width() + iconSize); // leaves room for bold letters, which are wider
    layout.endLayout();
    painter.setPen(theme.colour(ColourRole::Text));
    layout.draw(&painter, QPointF(area.left(), area.top() + (area.height() - line.height()) / 2));
}

} // namespace

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const {
    return {200, RowHeight + (index.data(PaletteModel::StartsGroupRole).toBool() ? GroupHeight : 0)};
}

void PaletteDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    const Theme &theme = Theme::of(option.widget);
    painter->save();
    QRect row = option.rect;
    if (index.data(PaletteModel::StartsGroupRole).toBool()) {
        painter->setFont(theme.font(TypeRole::Caption, TextWeight::Medium));
        painter->setPen(theme.colour(ColourRole::Text3));
        painter->drawText(QRect(row.x() + padding, row.y(), row.width(), GroupHeight - 4),
                          Qt::AlignBottom | Qt::AlignLeft, index.data(PaletteModel::GroupRole).toString());
        row.setTop(row.top() + GroupHeight);
    }
    if (option.state & QStyle::State_Selected)
        surfaces::rounded(*painter, row, Theme::radius(Corner::Field), theme.colour(ColourRole::AccentSoft));
    else if (option.state & QStyle::State_MouseOver)
        surfaces::rounded(*painter, row, Theme::radius(Corner::Field), theme.colour(ColourRole::Raised));
    icons::paint(*painter, QRectF(row.x() + padding, row.y() + (RowHeight - iconSize) / 2.0, iconSize, iconSize),
                 index.data(PaletteModel::IconRole).toString(), theme.colour(ColourRole::Text2));
    const QRect text = row.adjusted(padding + iconSize + 10, 0, -padding, 0);
    const QString detail = index.data(PaletteModel::DetailRole).toString();
    const QFontMetrics metrics(theme.font(TypeRole::Body));
    const int detailWidth = detail.isEmpty() ? 0 : std::min(metrics.horizontalAdvance(detail) + 12, text.width() / 2);
    const QString value = index.data(PaletteModel::ValueRole).toString();
    const QFontMetrics strong(theme.font(TypeRole::Body, TextWeight::SemiBold));
    const QString title = index.data(Qt::DisplayRole).toString();
    const QRect left = text.adjusted(0, 0, -detailWidth, 0);
    const int valueWidth = value.isEmpty() ? 0 : std::min(strong.horizontalAdvance(value) + 1, left.width() / 2);
    const int titleWidth = std::min(strong.horizontalAdvance(title), left.width() - valueWidth - valueGap);
    drawTitle(*painter, value.isEmpty() ? left : QRect(left.left(), left.top(), titleWidth, left.height()), title,
              index.data(PaletteModel::PositionsRole).value<QVector<int>>(), theme);
    painter->setFont(theme.font(TypeRole::Body, TextWeight::SemiBold));
    painter->setPen(theme.colour(ColourRole::Text));
    painter->drawText(QRect(left.left() + titleWidth + valueGap, left.top(), valueWidth, left.height()),
                      Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                      strong.elidedText(value, Qt::ElideRight, valueWidth));
    painter->setFont(theme.font(TypeRole::Body));
    painter->setPen(theme.colour(ColourRole::Text3));
    painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                      metrics.elidedText(detail, Qt::ElideRight, detailWidth));
    painter->restore();
}

} // namespace meshwright
