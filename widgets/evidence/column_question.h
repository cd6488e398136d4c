// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"

#include <QString>

#include <functional>
#include <memory>

class QWidget;

namespace meshwright {

/// A CSV file of measured runs whose columns differ from the program's and have to be mapped.
struct ColumnQuestion {
    QString file; ///< file name
    std::shared_ptr<const CsvTable> table; ///< table with at least one row
    ColumnMapping mapping; ///< initial mapping, with as many columns as the table
    std::function<QString(QWidget *)> saveTemplate; ///< returns one line on the outcome; empty if nothing was saved
};

} // namespace meshwright
