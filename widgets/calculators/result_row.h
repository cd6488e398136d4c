// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "formulas/formula.h"

#include <QAbstractButton>

namespace meshwright {

/// One result of a calculator: meaning and value. Pressing it shows the result large and plots it.
class ResultRow : public QAbstractButton, public FigureSource {
    Q_OBJECT

public:
    explicit ResultRow(const FormulaResult &result, QWidget *parent = nullptr);
    const FormulaResult &result() const { return m_result; }
    void setValue(const QString &value);

    // The row is not a figure with a derivation. A press shows the result with its formula.
    QList<FigureRef> figures() const override { return {}; }
    FigureRef figureAt(const QPoint &) const override { return {}; }
    FigureRef currentFigure() const override { return {}; }
    bool opensAt(const QPoint &) const override { return true; }

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
