// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"
#include "evidence/measured_run.h"

#include <QString>

#include <optional>
#include <vector>

namespace meshwright {

/// A CSV file of the user's measured runs.
struct RunFile {
    QString path;
    /// Mapping of the columns; without it, they are the program's own or guessed from the names.
    std::optional<ColumnMapping> mapping;
    int reading = 1; ///< number of times the file was requested; its content may change between requests
    std::string rows = {}; ///< text of a table that is not a file; `path` is then the table's name
    QString name() const;
    bool operator==(const RunFile &) const = default;
};

/// The rows of the file. Rows without an id are named after the file, so that rows of different files have different
/// names. @throws InputError, FileError
std::vector<MeasuredRun> runsOf(const RunFile &file);

} // namespace meshwright
