// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"
#include "formulas/derivation.h"

#include <QAbstractButton>

namespace meshwright {

/// An input of a formula: title, value, name and origin. Pressing it opens the input.
class InputRow : public QAbstractButton, public FigureSource {
    Q_OBJECT

public:
    explicit InputRow(QWidget *parent = nullptr);
    void showInput(const Derivation &input);
    QString name() const { return m_name; }

    // Empty: a press opens the input in the tree next to the card.
    QList<FigureRef> figures() const override { return {}; }
    FigureRef figureAt(const QPoint &) const override { return {}; }
    FigureRef currentFigure() const override { return {}; }
    bool opensAt(const QPoint &) const override { return true; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_name;
    QString m_title;
    QString m_value;
    QString m_origin;
};

} // namespace meshwright
