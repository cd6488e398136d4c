// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <QAbstractButton>

namespace meshwright {

/// A result of a calculator in one line: letter, what it is, value. Pressed to have it shown large and drawn.
class ResultRow : public QAbstractButton {
    Q_OBJECT

public:
    explicit ResultRow(const FormulaResult &result, QWidget *parent = nullptr);
    const FormulaResult &result() const { return m_result; }
    void setValue(const QString &value);

    QSize sizeHint() const override { return {240, 26}; }
    QSize minimumSizeHint() const override { return {120, 26}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const FormulaResult &m_result;
    QString m_meaning;
    QString m_value;
};

} // namespace meshwright
