// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"

#include <QString>

#include <functional>
#include <memory>

class QWidget;

namespace meshwright {

/// A CSV file of measured runs with columns that the program does not recognize. The user has to map them.
struct ColumnQuestion {
    QString file;
    std::shared_ptr<const CsvTable> table; ///< table with at least one row
    ColumnMapping mapping; ///< initial mapping, with as many columns as the table
    std::function<QString(QWidget *)> saveTemplate; ///< returns one line about the outcome; empty if nothing was saved
};

} // namespace meshwright
