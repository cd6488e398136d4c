// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/export_question.h"

#include <QAbstractTableModel>

namespace meshwright {

/// The lines of one exported file: number, text, and the plan field that the text comes from.
class ExportLines : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Number, Text, From, ColumnCount };
    enum Role {
        FieldRole = Qt::UserRole + 60 ///< QString: the JSON pointer; empty for lines that do not depend on the plan
    };

    explicit ExportLines(const ExportQuestion &question, QObject *parent = nullptr);

    void setFile(int file);
    int file() const { return m_file; }
    const ExportFile *shown() const;
    /// Length of the longest line in characters.
    int longestLine() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString explanation(const ExportLine &line) const;

    const ExportQuestion &m_question; ///< exported files with their titles; the dialog owns them
    int m_file = 0;
};

} // namespace meshwright
