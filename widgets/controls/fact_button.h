// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/fact_list.h"
#include "figures/figure_source.h"

#include <QAbstractButton>

namespace meshwright {

/// A fact that opens its derivation when pressed. It looks like any other fact until hovered.
class FactButton : public QAbstractButton, public FigureSource {
    Q_OBJECT

public:
    explicit FactButton(QWidget *parent = nullptr);
    void setFact(const Fact &fact);
    FigureRef figure() const { return m_fact.figure; }

    QList<FigureRef> figures() const override { return {m_fact.figure}; }
    FigureRef figureAt(const QPoint &) const override { return m_fact.figure; }
    FigureRef currentFigure() const override { return m_fact.figure; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    Fact m_fact;
};

} // namespace meshwright
