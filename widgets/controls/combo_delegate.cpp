// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/combo_delegate.h"

#include "controls/combo_model.h"
#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QAbstractItemView>
#include <QPainter>

namespace meshwright {
namespace {

bool startsGroup(const QModelIndex &index) {
    const QString group = index.data(ComboModel::GroupRole).toString();
    return !group.isEmpty()
        && (index.row() == 0 || index.siblingAtRow(index.row() - 1).data(ComboModel::GroupRole).toString() != group);
}

constexpr int leftOfText = 28;
constexpr int rightOfText = 10;

/// Index of the space where the first line ends, or the text's length if all of it fits.
qsizetype firstLineEnd(const QString &text, const QFontMetrics &metrics, int width) {
    if (metrics.horizontalAdvance(text) <= width)
        return text.size();
    qsizetype end = text.lastIndexOf(QLatin1Char(' '));
    while (end > 0 && metrics.horizontalAdvance(text.left(end)) > width)
        end = text.lastIndexOf(QLatin1Char(' '), end - 1);
    return end > 0 ? end : text.size();
}

} // namespace

int ComboDelegate::linesFor(const QStyleOptionViewItem &option, const QModelIndex &index) const {
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    if (!m_wrapping || view == nullptr)
        return 1;
    const QFontMetrics metrics(Theme::of(option.widget).font(TypeRole::Body));
    const QString text = index.data(Qt::DisplayRole).toString();
    return firstLineEnd(text, metrics, view->viewport()->width() - leftOfText - rightOfText) < text.size() ? 2 : 1;
}

QSize ComboDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const {
    const QFontMetrics metrics(Theme::of(option.widget).font(TypeRole::Body));
    const int text = metrics.horizontalAdvance(index.data(Qt::DisplayRole).toString());
    const int detail = metrics.horizontalAdvance(index.data(ComboModel::DetailRole).toString());
    return {text + detail + 72,
            RowHeight + (linesFor(option, index) - 1) * SecondLineHeight + (startsGroup(index) ? GroupHeight : 0)};
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
    QRect text = row.adjusted(leftOfText, 0, -rightOfText, 0);
    const QFont body = theme.font(TypeRole::Body);
    const QFontMetrics metrics(body);
    const QString detail = index.data(ComboModel::DetailRole).toString();
    const int detailWidth = metrics.horizontalAdvance(detail);
    painter->setFont(body);
    painter->setPen(theme.colour(ColourRole::Text));
    QString whole = index.data(Qt::DisplayRole).toString();
    if (linesFor(option, index) > 1) {
        const qsizetype end = firstLineEnd(whole, metrics, text.width());
        const QRect first = text.adjusted(0, 0, 0, -SecondLineHeight);
        painter->drawText(first, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, whole.left(end));
        whole = whole.mid(end + 1);
        text.setTop(text.top() + SecondLineHeight);
    }
    const QString shown = metrics.elidedText(whole, Qt::ElideRight, text.width());
    painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
    if (metrics.horizontalAdvance(shown) + 16 + detailWidth <= text.width()) {
        painter->setPen(theme.colour(ColourRole::Text3));
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, detail);
    }
    painter->restore();
}

} // namespace meshwright
