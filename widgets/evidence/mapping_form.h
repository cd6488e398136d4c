// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"

#include <QVector>
#include <QWidget>

class QStandardItemModel;
class QVBoxLayout;

namespace meshwright {

class MappingLine;

/// A mapping as lines to choose in, one for each of the program's columns.
class MappingForm : public QWidget {
    Q_OBJECT

public:
    MappingForm(const CsvTable &table, const ColumnMapping &mapping, QWidget *parent = nullptr);

    ColumnMapping mapping() const;
    /// The first that a run needs and the mapping lacks; null for none.
    MappingLine *firstMissing() const;
    /// @pre there is a column of this name
    MappingLine *line(const char *column) const;

Q_SIGNALS:
    void changed();

private:
    void addGroup(QVBoxLayout *column, const QString &title, const QString &remark,
                  std::initializer_list<const char *> names);
    void show(const ColumnMapping &mapping);
    /// A column of the file has one meaning: the line that had it before lets it go, and gets it back where the taker
    /// only passed it by, as with the arrow keys.
    void take(MappingLine &taker);
    void showNeeds();

    struct Released {
        const MappingLine *taker;
        MappingLine *line;
        int choice;
    };

    std::vector<std::string> m_columns; ///< of the file
    QVector<Released> m_released;
    QStandardItemModel *m_choices;
    QVector<MappingLine *> m_lines;
};

} // namespace meshwright
