// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

class QTableView;
class QWidget;

namespace meshwright {

/// The largest visible table in a view; null if there is none.
QTableView *tableIn(const QWidget &view);

/// The table as shown, as CSV with headings (RFC 4180, UTF-8). Leaves out hidden columns; sorting and filters apply.
QByteArray csvOf(const QTableView &table);

} // namespace meshwright
