// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"

#include <QWidget>

class QAbstractItemModel;
class QLineEdit;

namespace meshwright {

class ChoiceBox;
class TextLabel;

/// One of the program's columns in a mapping: which column of the file it is, in which unit, or its value for all rows.
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
    /// Silent as to changed().
    void setChoice(int choice);
    /// Index of the file's column; -1 for none.
    int fileColumn() const { return choice() - FirstColumn >= 0 ? choice() - FirstColumn : -1; }
    const ColumnUnit &unit() const;
    void setUnit(double factor, RateOf rate);
    QString value() const; ///< for all rows
    void setValue(const QString &value);
    /// Proposals for what is typed as the value for all rows.
    void setProposals(const QStringList &texts);
    /// What the file must say of it, as "required"; empty for nothing. @param met  whether it does
    void setNeed(const QString &need, bool met);

    /// Where it is to be chosen or typed.
    void focusField();

Q_SIGNALS:
    /// Another column, or none, by the user; before changed().
    void chosen();
    /// By the user.
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
