// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figures_table.h"

namespace meshwright {

QStringList FiguresTable::figures() const {
    QStringList paths;
    for (int row = 0; model() != nullptr && row < model()->rowCount(); ++row)
        for (int column = 0; column < model()->columnCount(); ++column)
            if (const QModelIndex cell = model()->index(row, column); !cell.data().toString().isEmpty())
                paths << figureOf(cell);
    paths.removeAll(QString());
    return paths;
}

} // namespace meshwright
