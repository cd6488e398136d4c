// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/combo_model.h"

#include <algorithm>

namespace meshwright {

void ComboModel::setItems(const QVector<ComboItem> &items) {
    beginResetModel();
    m_items = items;
    endResetModel();
}

int ComboModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : int(m_items.size());
}

QVariant ComboModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || index.row() >= m_items.size())
        return {};
    const ComboItem &item = m_items[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return item.text;
    case Qt::AccessibleTextRole:
        return item.detail.isEmpty() ? item.text : item.text + QStringLiteral(", ") + item.detail;
    case IdRole:
        return item.id;
    case DetailRole:
        return item.detail;
    case GroupRole:
        return item.group;
    default:
        return {};
    }
}

void ComboFilter::setWords(const QString &words) {
    m_words = words.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool ComboFilter::filterAcceptsRow(int row, const QModelIndex &parent) const {
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    const QStringList haystack{index.data(Qt::DisplayRole).toString(), index.data(ComboModel::DetailRole).toString(),
                               index.data(ComboModel::GroupRole).toString()};
    return std::all_of(m_words.cbegin(), m_words.cend(), [&haystack](const QString &word) {
        return std::any_of(haystack.cbegin(), haystack.cend(),
                           [&word](const QString &text) { return text.contains(word, Qt::CaseInsensitive); });
    });
}

} // namespace meshwright
