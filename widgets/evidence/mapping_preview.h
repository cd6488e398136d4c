// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"

#include <QAbstractTableModel>
#include <QVector>

#include <memory>

namespace meshwright {

/// What a mapping makes of a table's rows.
struct MappingVerdict {
    struct Row {
        QString text; ///< what it is read as, or why it is left out
        QString assumed; ///< what it does not say, with what is taken; empty for nothing
        bool isRead = false;
    };
    QVector<Row> rows; ///< of the preview
    std::size_t read = 0; ///< of those that were looked at
    std::size_t lookedAt = 0;
};

/// The rows that are looked at, for a file may have any number.
inline constexpr std::size_t maxRowsLookedAt = 2000;

/// @param head  the table, or its first rows
MappingVerdict verdictOn(const CsvTable &head, const ColumnMapping &mapping);

/// The first rows and columns of a table as the file has them, each row with what becomes of it.
class MappingPreview : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Number, Verdict, FirstCell };
    static constexpr std::size_t MostRows = 50;
    static constexpr std::size_t MostColumns = 40;

    explicit MappingPreview(std::shared_ptr<const CsvTable> table, QObject *parent = nullptr);
    /// Silent as to the mapping's verdict: setVerdict().
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
