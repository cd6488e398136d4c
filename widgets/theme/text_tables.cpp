// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/text_tables.h"

#include "theme/theme.h"

#include <QTextTable>

namespace meshwright {

namespace {

void formatTable(QTextTable &table, const Theme &theme) {
    QTextTableFormat format = table.format();
    format.setBorderCollapse(true);
    format.setBorder(1);
    format.setBorderBrush(theme.colour(ColourRole::Line));
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setCellPadding(6);
    format.setCellSpacing(0);
    format.setTopMargin(4);
    format.setBottomMargin(16);
    format.setHeaderRowCount(1);
    table.setFormat(format);
    for (int column = 0; column < table.columns(); ++column) {
        QTextTableCell cell = table.cellAt(0, column);
        QTextCharFormat heading = cell.format();
        heading.setBackground(theme.colour(ColourRole::Panel));
        cell.setFormat(heading);
    }
}

} // namespace

void formatTables(QTextFrame &root, const Theme &theme) {
    for (QTextFrame *frame : root.childFrames())
        if (auto *table = qobject_cast<QTextTable *>(frame))
            formatTable(*table, theme);
}

} // namespace meshwright
