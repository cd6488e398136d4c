// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"

#include <QVector>
#include <QWidget>

class QStandardItemModel;
class QVBoxLayout;

namespace meshwright {

class MappingLine;

class MappingForm : public QWidget {
    Q_OBJECT

public:
    MappingForm(const CsvTable &table, const ColumnMapping &mapping, QWidget *parent = nullptr);

    ColumnMapping mapping() const;
    /// First required column that is not mapped; null if there is none.
    MappingLine *firstMissing() const;
    /// @pre `column` is the name of a RunColumn
    MappingLine *line(const char *column) const;

Q_SIGNALS:
    void changed();

private:
    void addGroup(QVBoxLayout *column, const QString &title, const QString &hint,
                  std::initializer_list<const char *> names);
    void show(const ColumnMapping &mapping);
    /// Assigns a file's column to one line. Only one line can use it, so the previous line loses it. That line gets it
    /// back when the new line chooses another column, for example while the user steps through the choices with the
    /// arrow keys.
    void take(MappingLine &taker);
    void showNeeds();

    struct Released {
        const MappingLine *taker;
        MappingLine *line;
        int choice;
    };

    std::vector<std::string> m_columns;
    QVector<Released> m_released;
    QStandardItemModel *m_choices;
    QVector<MappingLine *> m_lines;
};

} // namespace meshwright
