// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QVector>

#include <nlohmann/json_fwd.hpp>

#include <string>

class QTableView;
class QWidget;

namespace meshwright {

/// The data behind a view's picture, as rows of text. Every row has one cell per heading.
struct ViewTable {
    QStringList headings;
    QVector<QStringList> rows;

    bool isEmpty() const { return rows.isEmpty(); }
};

/// The largest visible table in a view; null if there is none.
QTableView *tableIn(const QWidget &view);
/// The table as shown: sorted and filtered, without hidden columns.
ViewTable tableAsShown(const QTableView &table);
/// A JSON array of objects: one row per object, nested objects under dotted headings, other arrays as JSON, null as an
/// empty cell. Numbers keep all their digits.
ViewTable tableOfObjects(const nlohmann::ordered_json &objects);
/// The shortest decimal that reads back as the same value; empty if it is infinite or not a number.
QString cellOf(double value);

/// CSV with headings (RFC 4180, UTF-8).
QByteArray csvOf(const ViewTable &table);
/// The table as tab-separated text, which spreadsheets paste into cells.
QString tabbedText(const ViewTable &table);

} // namespace meshwright
