// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace meshwright {

class TextLabel;

/// A symbol of a formula with a field for its value and an error line below it. Each keystroke takes effect at once.
class ArgumentRow : public QWidget {
    Q_OBJECT

public:
    explicit ArgumentRow(const Symbol &symbol, QWidget *parent = nullptr);

    const Symbol &symbol() const { return m_symbol; }
    QString text() const;
    /// Does not emit edited(). A long number is shown rounded, but text() returns it exactly until the user edits it.
    void setText(const QString &text);
    void setProblem(const QString &problem);
    QWidget *field() const;
    /// Tints the row, because the pointer is on its symbol in the formula.
    void setLit(bool lit);

    QSize minimumSizeHint() const override { return {160, QWidget::minimumSizeHint().height()}; }

Q_SIGNALS:
    void edited(const QString &text);
    void hovered(bool is);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void addField();

    const Symbol &m_symbol;
    QLineEdit *m_edit = nullptr;
    QComboBox *m_choice = nullptr;
    TextLabel *m_problem;
    QString m_exact;
    bool m_lit = false;
    QString m_shown; ///< text that the field shows for the value, which may be rounded
};

} // namespace meshwright
