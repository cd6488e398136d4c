// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/formula_syntax.h"

#include <QHash>
#include <QWidget>

#include <optional>

namespace meshwright {

/// Shows a typeset formula, as high as its lines at the width that it has.
class FormulaLabel : public QWidget {
    Q_OBJECT

public:
    explicit FormulaLabel(QWidget *parent = nullptr);

    /// @param result   before the sign of equality; may be empty
    /// @param numbers  that stand for names; names without one stay
    void setFormula(const QString &result, const QString &formula, const QHash<QString, QString> &numbers = {});

    /// One that has been read already, spoken as `spoken`.
    void setFormula(const QString &result, const FormulaPart &formula, const QString &spoken);

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
