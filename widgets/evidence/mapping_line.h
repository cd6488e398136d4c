// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"

#include <QWidget>

class QAbstractItemModel;
class QLineEdit;

namespace meshwright {

class ChoiceBox;
class TextLabel;

/// One line of a column mapping: a RunColumn, and either the file's column with its unit or one value for all rows.
class MappingLine : public QWidget {
    Q_OBJECT

public:
    /// @param choices  "Not in the file", "Same for all rows", then the file's columns
    MappingLine(const RunColumn &column, QAbstractItemModel *choices, QWidget *parent = nullptr);

    static constexpr int NotInFile = 0;
    static constexpr int SameForAll = 1;
    static constexpr int FirstColumn = 2;

    const RunColumn &column() const { return m_column; }
    int choice() const;
    /// Does not emit changed().
    void setChoice(int choice);
    /// Index of the chosen column in the file; -1 if none is chosen.
    int fileColumn() const { return choice() - FirstColumn >= 0 ? choice() - FirstColumn : -1; }
    const ColumnUnit &unit() const;
    void setUnit(double factor, RateOf rate);
    QString value() const; ///< value for all rows; empty if a column is chosen
    void setValue(const QString &value);
    void setProposals(const QStringList &texts);
    /// Shows the requirement, such as "required"; empty for none. @param met  whether the mapping meets it
    void setNeed(const QString &need, bool met);

    void focusField();

Q_SIGNALS:
    /// The user chose another column, or none. Emitted before changed().
    void chosen();
    void changed();

private:
    void showChoice();

    const RunColumn &m_column;
    std::vector<ColumnUnit> m_units;
    TextLabel *m_need;
    ChoiceBox *m_choice;
    ChoiceBox *m_unit;
    QLineEdit *m_value;
};

} // namespace meshwright
