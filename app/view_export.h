// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

class QTableView;
class QWidget;

namespace meshwright {

/// The largest visible table in a view; null if there is none.
QTableView *tableIn(const QWidget &view);

/// The table as shown, as CSV with headings (RFC 4180, UTF-8). Leaves out hidden columns; sorting and filters apply.
QByteArray csvOf(const QTableView &table);
/// The same with tabs, as spreadsheets paste it.
QString tabbedText(const QTableView &table);

/// A view as shown, `scale` times as large as on screen.
QImage pictureOf(QWidget &view, int scale);
/// A view as shown, as vectors; timelines and areas of many shapes are embedded images.
QByteArray svgOf(QWidget &view, const QString &title);

} // namespace meshwright
