// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/comparison_run.h"

#include <QAbstractTableModel>
#include <QSet>
#include <QStringList>

#include <vector>

namespace meshwright {

/// Plan fields that differ between plans: a row per field, a column per plan. If many fields of one part (model,
/// cluster, stack) differ, they share one row, which can be expanded.
class ComparedFieldsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        PointerRole = Qt::UserRole + 60, ///< QString: the field's JSON pointer; empty for the row of a part
        PartRole ///< QString: the part that a row opens and closes; empty for a field
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setComparison(const ComparisonPointer &run);
    /// Expands or collapses the row of a part; does nothing for a field.
    void toggle(int row);
    int fieldCount() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString part; ///< part of the plan that the row expands and collapses; empty for a field
        std::size_t field = 0;
        int count = 0;
        bool isInside = false;
    };
    void arrange();
    QString text(const Row &row, int column) const;
    QString partName(const QString &part, int plan) const;

    ComparisonPointer m_run;
    QStringList m_names;
    QSet<QString> m_open; ///< parts whose fields are shown
    std::vector<Row> m_rows;
};

/// A field as `--set` names it: "parallelism.tensor".
QString dottedName(const std::string &pointer);

} // namespace meshwright
