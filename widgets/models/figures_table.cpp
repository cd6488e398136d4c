// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures_table.h"

namespace meshwright {

QList<FigureRef> FiguresTable::figures() const {
    QList<FigureRef> all;
    for (int row = 0; model() != nullptr && row < model()->rowCount(); ++row)
        for (int column = 0; column < model()->columnCount(); ++column)
            if (const QModelIndex cell = model()->index(row, column); !cell.data().toString().isEmpty())
                all << figureOf(cell);
    all.removeAll(FigureRef());
    return all;
}

} // namespace meshwright
