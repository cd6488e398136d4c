// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/combo_delegate.h"

#include "controls/combo_model.h"
#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QPainter>

namespace meshwright {
namespace {

bool startsGroup(const QModelIndex &index) {
    const QString group = index.data(ComboModel::GroupRole).toString();
    return !group.isEmpty()
        && (index.row() == 0 || index.siblingAtRow(index.row() - 1).data(ComboModel::GroupRole).toString() != group);
}

} // namespace

QSize ComboDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const {
    const QFontMetrics metrics(Theme::of(option.widget).font(TypeRole::Body));
    const int text = metrics.horizontalAdvance(index.data(Qt::DisplayRole).toString());
    const int detail = metrics.horizontalAdvance(index.data(ComboModel::DetailRole).toString());
    return {text + detail + 72, RowHeight + (startsGroup(index) ? GroupHeight : 0)};
}

void ComboDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    const Theme &theme = Theme::of(option.widget);
    QRect row = option.rect;
    painter->save();
    if (startsGroup(index)) {
        const QRect heading(row.x() + 8, row.y(), row.width() - 16, GroupHeight);
        painter->setFont(theme.font(TypeRole::Caption, TextWeight::Medium));
        painter->setPen(theme.colour(ColourRole::Text3));
        painter->drawText(heading, Qt::AlignBottom | Qt::AlignLeft, index.data(ComboModel::GroupRole).toString());
        row.setTop(row.top() + GroupHeight);
    }
    if (option.state & QStyle::State_Selected)
        surfaces::rounded(*painter, row, 4, theme.colour(ColourRole::AccentSoft));
    else if (option.state & QStyle::State_MouseOver)
        surfaces::rounded(*painter, row, 4, theme.colour(ColourRole::Raised));
    if (index.data(ComboModel::IdRole).toString() == m_chosen)
        icons::paint(*painter, QRectF(row.x() + 8, row.center().y() - 6, 14, 14), QStringLiteral("ok"),
                     theme.colour(ColourRole::Accent));
    const QRect text = row.adjusted(28, 0, -10, 0);
    const QFont body = theme.font(TypeRole::Body);
    const QFontMetrics metrics(body);
    const QString detail = index.data(ComboModel::DetailRole).toString();
    const int detailWidth = metrics.horizontalAdvance(detail);
    const QString shown = metrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, text.width());
    painter->setFont(body);
    painter->setPen(theme.colour(ColourRole::Text));
    painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
    if (metrics.horizontalAdvance(shown) + 16 + detailWidth <= text.width()) {
        painter->setPen(theme.colour(ColourRole::Text3));
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, detail);
    }
    painter->restore();
}

} // namespace meshwright
