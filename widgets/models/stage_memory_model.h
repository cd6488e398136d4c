// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace meshwright {

class StageMemoryModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setMemory(const Memory &memory);
    /// Sets short column titles for narrow columns, whose tool tips then show the full names. An empty list restores
    /// the names.
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
