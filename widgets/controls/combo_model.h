// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/combo_item.h"

#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <QVector>

namespace meshwright {

class ComboModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { IdRole = Qt::UserRole, DetailRole, GroupRole };
    using QAbstractListModel::QAbstractListModel;

    void setItems(const QVector<ComboItem> &items);
    const QVector<ComboItem> &items() const { return m_items; }
    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    QVector<ComboItem> m_items;
};

/// Accepts items that contain every typed word, in any order, ignoring case.
class ComboFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setWords(const QString &words);

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    QStringList m_words;
};

} // namespace meshwright
