// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/formula_syntax.h"

#include <QHash>
#include <QWidget>

#include <optional>

namespace meshwright {

/// Shows a typeset formula; its height depends on line wrapping at the current width.
class FormulaLabel : public QWidget {
    Q_OBJECT

public:
    explicit FormulaLabel(QWidget *parent = nullptr);

    /// @param result   left-hand side of the equation; may be empty
    /// @param numbers  values to show in place of names; names without a value stay
    void setFormula(const QString &result, const QString &formula, const QHash<QString, QString> &numbers = {});

    /// Shows a formula that has already been parsed. @param spoken  its text for screen readers
    /// @param numbers  values to show in place of names; names without a value stay
    void setFormula(const QString &result, const FormulaPart &formula, const QString &spoken,
                    const QHash<QString, QString> &numbers = {});

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, 0}; }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_result;
    std::optional<FormulaPart> m_formula;
    QHash<QString, QString> m_numbers;
};

} // namespace meshwright
