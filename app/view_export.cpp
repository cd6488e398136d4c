// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_export.h"

#include <QHeaderView>
#include <QTableView>

namespace meshwright {

namespace {

QString quoted(QString text) {
    text.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

QString cell(const QVariant &value) {
    const QString text = value.toString().simplified();
    const bool plain = !text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"'));
    return plain ? text : quoted(text);
}

/// Visible columns in their current visual order.
QVector<int> columnsOf(const QTableView &table) {
    QVector<int> columns;
    const QHeaderView &header = *table.horizontalHeader();
    for (int place = 0; place < header.count(); ++place)
        if (const int column = header.logicalIndex(place); !table.isColumnHidden(column))
            columns.append(column);
    return columns;
}

} // namespace

QTableView *tableIn(const QWidget &view) {
    QTableView *largest = nullptr;
    const auto area = [](const QWidget &widget) { return widget.width() * widget.height(); };
    for (QTableView *table : view.findChildren<QTableView *>())
        if (table->isVisible() && table->model() != nullptr && table->model()->rowCount() > 0
            && (largest == nullptr || area(*table) > area(*largest)))
            largest = table;
    return largest;
}

QByteArray csvOf(const QTableView &table) {
    const QAbstractItemModel &model = *table.model();
    const QVector<int> columns = columnsOf(table);
    QStringList lines;
    QStringList cells;
    for (const int column : columns)
        cells.append(cell(model.headerData(column, Qt::Horizontal)));
    lines.append(cells.join(QLatin1Char(',')));
    for (int row = 0; row < model.rowCount(); ++row) {
        if (table.isRowHidden(row))
            continue;
        cells.clear();
        for (const int column : columns)
            cells.append(cell(model.index(row, column).data()));
        lines.append(cells.join(QLatin1Char(',')));
    }
    return lines.join(QStringLiteral("\r\n")).toUtf8() + "\r\n";
}

} // namespace meshwright
