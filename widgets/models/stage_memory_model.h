// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace meshwright {

/// Peak memory in GB: one row per pipeline stage, one column per kind of memory and one for the total.
class StageMemoryModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setMemory(const Memory &memory);
    /// Short titles of the columns if their names have no room; the names are then in the tool tips. Empty: the names.
    void setBriefTitles(const QStringList &titles);
    static QString nameOf(int column);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Memory m_memory;
    QStringList m_brief;
};

} // namespace meshwright
