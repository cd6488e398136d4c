// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

class QTableView;
class QWidget;

namespace meshwright {

/// The largest table in sight within a view; null where it has none.
QTableView *tableIn(const QWidget &view);

/// A table as it is shown, headings first: RFC 4180, UTF-8. Hidden columns are left out, sorting and filters hold.
QByteArray csvOf(const QTableView &table);

} // namespace meshwright
