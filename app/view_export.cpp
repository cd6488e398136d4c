// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_export.h"

#include "svg_picture.h"
#include "theme/picture_ratio.h"
#include "theme/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QTableView>

namespace meshwright {

namespace {

QString quoted(QString text) {
    text.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

QString cell(const QString &text) {
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

/// Headings, then the visible rows, with one line per cell.
QVector<QStringList> rowsOf(const QTableView &table) {
    const QAbstractItemModel &model = *table.model();
    const QVector<int> columns = columnsOf(table);
    QVector<QStringList> rows(1);
    for (const int column : columns)
        rows.first().append(model.headerData(column, Qt::Horizontal).toString().simplified());
    for (int row = 0; row < model.rowCount(); ++row) {
        if (table.isRowHidden(row))
            continue;
        rows.append(QStringList());
        for (const int column : columns)
            rows.last().append(model.index(row, column).data().toString().simplified());
    }
    return rows;
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
    QStringList lines;
    for (const QStringList &row : rowsOf(table)) {
        QStringList cells;
        for (const QString &text : row)
            cells.append(cell(text));
        lines.append(cells.join(QLatin1Char(',')));
    }
    return lines.join(QStringLiteral("\r\n")).toUtf8() + "\r\n";
}

QString tabbedText(const QTableView &table) {
    QStringList lines;
    for (const QStringList &row : rowsOf(table))
        lines.append(row.join(QLatin1Char('\t')));
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QImage pictureOf(QWidget &view, int scale) {
    const PictureScale larger(scale);
    const qreal ratio = view.devicePixelRatioF() * scale;
    QImage image((QSizeF(view.size()) * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(Theme::of(&view).colour(ColourRole::Window));
    view.render(&image);
    return image;
}

QByteArray svgOf(QWidget &view, const QString &title) {
    constexpr int scaleOfImages = 2; // sharp when printed
    const PictureScale larger(scaleOfImages);
    SvgPicture picture(view.size(), title);
    view.render(&picture);
    return picture.finish();
}

} // namespace meshwright
