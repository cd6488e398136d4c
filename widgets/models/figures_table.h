// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_source.h"

#include <QTableView>

namespace meshwright {

/// A table whose rows can be clicked. F1 opens the derivation of the figure in the current cell, which the model
/// returns under FigureRole. Cells without a figure hold names and settings.
class FiguresTable : public QTableView, public FigureSource {
    Q_OBJECT

public:
    static constexpr int FigureRole = Qt::UserRole + 40;

    using QTableView::QTableView;

    static FigureRef figureOf(const QModelIndex &index) { return index.data(FigureRole).value<FigureRef>(); }

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override { return figureOf(indexAt(place)); }
    bool pressActsOtherwise(const QPoint &) const override { return true; }
    FigureRef currentFigure() const override { return figureOf(currentIndex()); }
    bool isScaleAt(const QPoint &place) const override { return figureAt(place).isEmpty(); }
};

} // namespace meshwright
