// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace meshwright {

class TextLabel;

/// A symbol of a formula with the field for its value, and what is wrong with it beneath. Every key counts at once.
class ArgumentRow : public QWidget {
    Q_OBJECT

public:
    explicit ArgumentRow(const Symbol &symbol, QWidget *parent = nullptr);

    const Symbol &symbol() const { return m_symbol; }
    QString text() const;
    /// Silent as to edited(). A number of many digits is shown rounded; until it is edited, text() stays what was set.
    void setText(const QString &text);
    /// One line; an empty one clears it.
    void setProblem(const QString &problem);
    QWidget *field() const;

    QSize minimumSizeHint() const override { return {160, QWidget::minimumSizeHint().height()}; }

Q_SIGNALS:
    void edited(const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void addField();

    const Symbol &m_symbol;
    QLineEdit *m_edit = nullptr;
    QComboBox *m_choice = nullptr;
    TextLabel *m_problem;
    QString m_exact; ///< what was set
    QString m_shown; ///< of it
};

} // namespace meshwright
