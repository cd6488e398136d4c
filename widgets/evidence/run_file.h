// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"
#include "evidence/measured_run.h"

#include <QString>

#include <optional>
#include <vector>

namespace meshwright {

struct RunFile {
    QString path;
    /// Mapping of the columns. If unset, the file has the program's own columns, or the mapping is guessed from the
    /// columns' names.
    std::optional<ColumnMapping> mapping;
    int reading = 1; ///< number of read requests; the file's content may differ between them
    std::string rows = {}; ///< text of a table that is not a file, in which case `path` is the table's name
    QString name() const;
    bool operator==(const RunFile &) const = default;
};

/// The rows of the file. Rows without an id are named after the file, so that rows of different files have different
/// names. @throws InputError, FileError
std::vector<MeasuredRun> runsOf(const RunFile &file);

} // namespace meshwright
