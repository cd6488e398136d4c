// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/layout_delegate.h"

#include "search/layout_table_model.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>

namespace meshwright {

namespace {

constexpr int padding = 8;

QColor fillOf(const QStyleOptionViewItem &option, const QModelIndex &index, const Theme &theme) {
    if (option.state & QStyle::State_Selected)
        return theme.colour(ColourRole::Raised);
    if (index.data(LayoutTableModel::PresentRole).toBool())
        return theme.colour(ColourRole::AccentSoft);
    if (index.data(LayoutTableModel::BestRole).toBool())
        return theme.colour(ColourRole::GoodSoft);
    return {};
}

QColor inkOf(const QModelIndex &index, const Theme &theme) {
    const QVariant tone = index.data(LayoutTableModel::ToneRole);
    if (tone.isValid())
        return theme.ink(static_cast<Tone>(tone.toInt()));
    if (index.data(LayoutTableModel::PresentRole).toBool())
        return theme.colour(ColourRole::Accent);
    const bool quiet =
        index.column() == static_cast<int>(ColumnId::rank) && !index.data(LayoutTableModel::PinRole).toBool();
    return theme.colour(quiet ? ColourRole::Text3 : ColourRole::Text);
}

} // namespace

void LayoutDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    const Theme &theme = Theme::of(option.widget);
    painter->save();
    if (const QColor fill = fillOf(option, index, theme); fill.isValid())
        painter->fillRect(option.rect, fill);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                      theme.colour(ColourRole::Line));
    if (const QVariant share = index.data(LayoutTableModel::ShareRole); share.isValid()) {
        const bool memory = index.column() == static_cast<int>(ColumnId::peak);
        const QColor bar = mixed(theme.colour(ColourRole::Card), theme.fill(memory ? Kind::Purple2 : Kind::Blue), 0.4);
        QRectF area = QRectF(option.rect).adjusted(4, 4, -4, -5);
        area.setLeft(area.right() - area.width() * share.toDouble());
        surfaces::rounded(*painter, area, 2, bar);
    }
    const bool ranks = index.column() == static_cast<int>(ColumnId::rank);
    const bool strong = (index.data(LayoutTableModel::BestRole).toBool()
                         && (ranks || index.column() == static_cast<int>(ColumnId::gain)))
        || (ranks && index.data(LayoutTableModel::PinRole).toBool());
    painter->setFont(theme.font(TypeRole::Body, strong ? TextWeight::SemiBold : TextWeight::Regular));
    painter->setPen(inkOf(index, theme));
    const QRect text = option.rect.adjusted(padding, 0, -padding, 0);
    painter->drawText(text, index.data(Qt::TextAlignmentRole).toInt() | Qt::TextSingleLine,
                      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, text.width()));
    if (option.state & QStyle::State_HasFocus)
        surfaces::focusRing(*painter, option.rect, 2, theme);
    painter->restore();
}

} // namespace meshwright
