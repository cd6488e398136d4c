// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/formula_layout.h"
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

    /// Tints all occurrences of a symbol; none if empty.
    void light(const QString &symbol);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, 0}; }

Q_SIGNALS:
    /// Emitted when the pointer moves to another symbol, or to a place without one (empty).
    void symbolHovered(const QString &symbol);

protected:
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    FormulaLayout layoutFor(int width) const;
    void hover(const QString &symbol);

    QString m_result;
    std::optional<FormulaPart> m_formula;
    QHash<QString, QString> m_numbers;
    QString m_hovered;
    QString m_lit;
};

} // namespace meshwright
