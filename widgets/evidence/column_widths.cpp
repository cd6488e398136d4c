// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/column_widths.h"

#include "theme/theme.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace meshwright {

namespace {
constexpr int padding = 18; ///< padding of a column title in pixels, left and right together
constexpr int sortMark = 14;
} // namespace

void fitColumns(QTableView &table) {
    QHeaderView *header = table.horizontalHeader();
    const QAbstractItemView &view = table; // sizeHintForColumn() is public only in the base class
    // The title of the sorted column is drawn in the heaviest weight.
    const QFontMetrics metrics(Theme::of(&table).font(TypeRole::Caption, TextWeight::SemiBold));
    for (int column = 0; column < header->count(); ++column) {
        if (header->sectionResizeMode(column) != QHeaderView::Interactive)
            continue;
        const QString name = table.model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int forName = metrics.horizontalAdvance(name) + padding + (table.isSortingEnabled() ? sortMark : 0);
        header->resizeSection(column, std::max(forName, view.sizeHintForColumn(column) + 4));
    }
}

void showColumnsThatFit(QTableView &table, int nameWidth, std::span<const int> spare) {
    for (const int column : spare)
        table.setColumnHidden(column, false);
    const QHeaderView *header = table.horizontalHeader();
    int left = table.viewport()->width();
    for (int column = 1; column < header->count(); ++column)
        left -= header->sectionSize(column); // sectionSize() returns 0 for a hidden column
    for (const int column : spare) {
        if (left >= nameWidth)
            return;
        left += header->sectionSize(column);
        table.setColumnHidden(column, true);
    }
}

} // namespace meshwright
