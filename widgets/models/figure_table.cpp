// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figure_table.h"

#include <QKeyEvent>

namespace meshwright {

FigureTable::FigureTable(QWidget *parent)
    : QTableView(parent) {
    connect(this, &QTableView::clicked, this, &FigureTable::open);
}

QStringList FigureTable::figures() const {
    QStringList all;
    for (int row = 0; model() != nullptr && row < model()->rowCount(); ++row)
        for (int column = 0; column < model()->columnCount(); ++column)
            if (const QString figure = model()->index(row, column).data(FigureRole).toString(); !figure.isEmpty())
                all << figure;
    return all;
}

QString FigureTable::figureAt(const QPoint &place) const {
    return indexAt(place).data(FigureRole).toString();
}

QString FigureTable::currentFigure() const {
    return currentIndex().data(FigureRole).toString();
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
