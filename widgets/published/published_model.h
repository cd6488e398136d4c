// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/preset_table.h"

#include <QAbstractTableModel>

#include <vector>

namespace meshwright {

/// All plans of the library, one per row: size, hardware, parallelism, and the authors' figures next to the
/// predictions. SortRole returns the numbers behind the texts.
class PublishedModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Name,
        Size,
        Accelerators,
        Hardware,
        StepPublished,
        StepPredicted,
        MfuPublished,
        MfuPredicted,
        Difference,
        Inside,
        Figure, ///< the reported figure that is compared in the Difference column
        Configuration,
        ColumnCount
    };
    static constexpr int SortRole = Qt::UserRole;
    static constexpr int IdRole = Qt::UserRole + 1;

    explicit PublishedModel(QObject *parent = nullptr);
    void setRows(std::vector<PresetRow> rows);
    const std::vector<PresetRow> &rows() const { return m_rows; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const PresetRow &row, int column) const;
    QVariant sortValue(const PresetRow &row, int column) const;

    std::vector<PresetRow> m_rows;
};

} // namespace meshwright
