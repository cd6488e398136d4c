// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"

#include <QAbstractTableModel>
#include <QVector>

#include <memory>

namespace meshwright {

struct MappingVerdict {
    struct Row {
        QString text; ///< how the row is read, or why it is skipped
        QString assumed; ///< assumed values; may be empty
        bool isRead = false;
    };
    QVector<Row> rows;
    std::size_t read = 0; ///< number of checked rows that can be read
    std::size_t lookedAt = 0;
};

/// Maximum number of rows to check, because a file may have any number of rows.
inline constexpr std::size_t maxRowsLookedAt = 2000;

/// @param head  the table, or its first rows
MappingVerdict verdictOn(const CsvTable &head, const ColumnMapping &mapping);

class MappingPreview : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Number, Verdict, FirstCell };
    static constexpr std::size_t MaxRows = 50;
    static constexpr std::size_t MaxColumns = 40;

    explicit MappingPreview(std::shared_ptr<const CsvTable> table, QObject *parent = nullptr);
    /// Sets only which columns are used. setVerdict() updates how rows are read.
    void setMapping(const ColumnMapping &mapping);
    void setVerdict(const MappingVerdict &verdict);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const QModelIndex &index) const;
    bool isUsed(int section) const;

    std::shared_ptr<const CsvTable> m_table;
    ColumnMapping m_mapping;
    MappingVerdict m_verdict;
};

} // namespace meshwright
