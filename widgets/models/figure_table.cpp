// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figure_table.h"

#include <QKeyEvent>

namespace meshwright {

FigureTable::FigureTable(QWidget *parent)
    : FiguresTable(parent) {
    connect(this, &QTableView::clicked, this, &FigureTable::open);
}

void FigureTable::open(const QModelIndex &index) {
    if (const QString figure = index.data(FigureRole).toString(); !figure.isEmpty())
        Q_EMIT figureWanted(figure);
}

void FigureTable::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        open(currentIndex());
    else
        QTableView::keyPressEvent(event);
}

} // namespace meshwright
