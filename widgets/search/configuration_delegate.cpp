// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/configuration_delegate.h"

#include "search/configuration_table_model.h"
#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>

namespace meshwright {

namespace {

constexpr int padding = 8;

QColor fillOf(const QStyleOptionViewItem &option, const QModelIndex &index, const Theme &theme) {
    if (option.state & QStyle::State_Selected)
        return theme.colour(ColourRole::Raised);
    if (index.data(ConfigurationTableModel::PresentRole).toBool())
        return theme.colour(ColourRole::AccentSoft);
    if (index.data(ConfigurationTableModel::BestRole).toBool())
        return theme.colour(ColourRole::GoodSoft);
    return {};
}

QColor inkOf(const QModelIndex &index, const Theme &theme) {
    const QVariant tone = index.data(ConfigurationTableModel::ToneRole);
    if (tone.isValid())
        return theme.ink(static_cast<Tone>(tone.toInt()));
    if (index.data(ConfigurationTableModel::PresentRole).toBool())
        return theme.colour(ColourRole::Accent);
    return theme.colour(index.column() == static_cast<int>(ColumnId::rank) ? ColourRole::Text3 : ColourRole::Text);
}

/// A pin and its letter. A row that is not pinned shows a faint pin, which can be clicked, while hovered or selected.
void paintPin(QPainter &painter, const QStyleOptionViewItem &option, const QModelIndex &index, const Theme &theme) {
    constexpr int iconSize = 14;
    const bool pinned = index.data(ConfigurationTableModel::PinRole).toBool();
    const bool offered = (option.state & (QStyle::State_MouseOver | QStyle::State_Selected))
        || index.data(ConfigurationTableModel::PointedRole).toBool();
    if (!pinned && !offered)
        return;
    const QRectF icon(option.rect.left() + 6, option.rect.center().y() - iconSize / 2.0 + 0.5, iconSize, iconSize);
    const QColor ink = theme.colour(pinned ? ColourRole::Accent : ColourRole::Text3);
    icons::paint(painter, icon, QStringLiteral("pin"), ink);
    painter.setFont(theme.font(TypeRole::Caption, TextWeight::SemiBold));
    painter.setPen(ink);
    painter.drawText(
        QRectF(icon.right() + 2, option.rect.top(), option.rect.right() - icon.right(), option.rect.height()),
        Qt::AlignVCenter | Qt::AlignLeft, index.data().toString());
}

} // namespace

void ConfigurationDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                                  const QModelIndex &index) const {
    const Theme &theme = Theme::of(option.widget);
    painter->save();
    if (const QColor fill = fillOf(option, index, theme); fill.isValid())
        painter->fillRect(option.rect, fill);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                      theme.colour(ColourRole::Line));
    if (const QVariant share = index.data(ConfigurationTableModel::ShareRole); share.isValid()) {
        const bool memory = index.column() == static_cast<int>(ColumnId::peak);
        const QColor bar = mixed(theme.colour(ColourRole::Card), theme.fill(memory ? Kind::Purple2 : Kind::Blue), 0.4);
        QRectF area = QRectF(option.rect).adjusted(4, 4, -4, -5);
        area.setLeft(area.right() - area.width() * share.toDouble());
        surfaces::rounded(*painter, area, 2, bar);
    }
    if (index.column() == static_cast<int>(ColumnId::pin)) {
        paintPin(*painter, option, index, theme);
        if (option.state & QStyle::State_HasFocus)
            surfaces::focusRing(*painter, option.rect, 2, theme);
        painter->restore();
        return;
    }
    const bool ranks = index.column() == static_cast<int>(ColumnId::rank);
    if (ranks
        && index.data(ConfigurationTableModel::TiedRole)
               .toBool()) // a bar on the left of each row that ties with the best
        painter->fillRect(QRect(option.rect.left() + 2, option.rect.top(), 2, option.rect.height()),
                          theme.colour(ColourRole::Good));
    if (ranks && index.data(ConfigurationTableModel::RecommendedRole).toBool())
        icons::paint(*painter, QRectF(option.rect.left() + 7, option.rect.center().y() - 6, 13, 13),
                     QStringLiteral("star"), theme.colour(ColourRole::Good));
    const bool strong = index.data(ConfigurationTableModel::BestRole).toBool()
        && (ranks || index.column() == static_cast<int>(ColumnId::gain));
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
