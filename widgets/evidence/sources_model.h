// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/evidence_set.h"
#include "models/figures_table.h"

#include <QAbstractTableModel>

namespace meshwright {

class SourcesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Source, Steps, Bar, Median, P90, Bias, Inside, Memory, Fits, ColumnCount };
    static constexpr int LowRole = Qt::UserRole + 1; ///< 10th percentile of the signed errors
    static constexpr int MiddleRole = Qt::UserRole + 2; ///< median of the signed errors
    static constexpr int HighRole = Qt::UserRole + 3; ///< 90th percentile of the signed errors
    static constexpr int FamilyRole = Qt::UserRole + 4;
    static constexpr int SortRole = Qt::UserRole + 5;

    using QAbstractTableModel::QAbstractTableModel;

    void setSet(EvidenceSetPointer set);
    QString source(int row) const { return m_set->sources[static_cast<std::size_t>(row)].name; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    EvidenceSetPointer m_set;
};

} // namespace meshwright
