// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_table.h"

#include <QHeaderView>
#include <QTableView>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// A cell in the format of RFC 4180. Cells contain no line breaks.
QString csvCell(QString text) {
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')))
        return text;
    text.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

QVector<int> columnsOf(const QTableView &table) {
    QVector<int> columns;
    const QHeaderView &header = *table.horizontalHeader();
    for (int place = 0; place < header.count(); ++place)
        if (const int column = header.logicalIndex(place); !table.isColumnHidden(column))
            columns.append(column);
    return columns;
}

QString cellOf(const Json &value) {
    return QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump()).simplified();
}

/// Appends an object's cells, including those of nested objects, to the columns of their dotted names.
void addCells(const QString &prefix, const Json &object, ViewTable &table) {
    for (const auto &item : object.items()) {
        if (item.value().is_null())
            continue;
        const QString name = prefix + QString::fromStdString(item.key());
        if (item.value().is_object()) {
            addCells(name + QLatin1Char('.'), item.value(), table);
            continue;
        }
        qsizetype column = table.headings.indexOf(name);
        if (column < 0) {
            column = table.headings.size();
            table.headings.append(name);
        }
        QStringList &row = table.rows.last();
        while (row.size() <= column)
            row.append(QString());
        row[column] = cellOf(item.value());
    }
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

ViewTable tableAsShown(const QTableView &table) {
    const QAbstractItemModel &model = *table.model();
    const QVector<int> columns = columnsOf(table);
    ViewTable shown;
    for (const int column : columns)
        shown.headings.append(model.headerData(column, Qt::Horizontal).toString().simplified());
    for (int row = 0; row < model.rowCount(); ++row) {
        if (table.isRowHidden(row))
            continue;
        shown.rows.append(QStringList());
        for (const int column : columns)
            shown.rows.last().append(model.index(row, column).data().toString().simplified());
    }
    return shown;
}

ViewTable tableOfObjects(const Json &objects) {
    ViewTable table;
    for (const Json &object : objects) {
        table.rows.append(QStringList());
        addCells({}, object, table);
    }
    for (QStringList &row : table.rows)
        while (row.size() < table.headings.size())
            row.append(QString());
    return table;
}

QString cellOf(double value) {
    return std::isfinite(value) ? QString::fromStdString(fmt::format("{}", value)) : QString();
}

QByteArray csvOf(const ViewTable &table) {
    QByteArray csv;
    const auto add = [&csv](const QStringList &row) {
        QStringList cells;
        for (const QString &text : row)
            cells.append(csvCell(text));
        csv += cells.join(QLatin1Char(',')).toUtf8();
        csv += "\r\n";
    };
    add(table.headings);
    for (const QStringList &row : table.rows)
        add(row);
    return csv;
}

QString tabbedText(const ViewTable &table) {
    QString text = table.headings.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const QStringList &row : table.rows)
        text += row.join(QLatin1Char('\t')) + QLatin1Char('\n');
    return text;
}

} // namespace meshwright
