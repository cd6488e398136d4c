// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"

#include <QString>

#include <functional>
#include <memory>

class QWidget;

namespace meshwright {

/// A table of measured runs whose columns are not the program's own, and are to be mapped.
struct ColumnQuestion {
    QString file; ///< its name
    std::shared_ptr<const CsvTable> table; ///< with at least one row
    ColumnMapping mapping; ///< to begin with; of as many columns as the table
    std::function<QString(QWidget *)> saveTemplate; ///< returns one line on what came of it; empty where nothing did
};

} // namespace meshwright
