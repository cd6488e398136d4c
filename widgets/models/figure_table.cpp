// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figure_table.h"
#include "figures/figure_event.h"

#include <QKeyEvent>

namespace meshwright {

FigureTable::FigureTable(QWidget *parent)
    : FiguresTable(parent) {
    connect(this, &QTableView::clicked, this, &FigureTable::open);
}

void FigureTable::open(const QModelIndex &index) {
    wantFigure(this, figureOf(index));
}

void FigureTable::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        open(currentIndex());
    else
        QTableView::keyPressEvent(event);
}

} // namespace meshwright
