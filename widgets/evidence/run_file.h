// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/column_mapping.h"
#include "evidence/measured_run.h"

#include <QString>

#include <optional>
#include <vector>

namespace meshwright {

/// A table of measured runs of the user's own.
struct RunFile {
    QString path;
    std::optional<ColumnMapping> mapping; ///< left out: the program's columns, or names that are guessed
    int reading = 1; ///< how often it was asked for: a file may have changed since
    QString name() const;
    bool operator==(const RunFile &) const = default;
};

/// Its rows. Those without an id are called after the file, so that two files' rows stay apart.
/// @throws InputError, FileError
std::vector<MeasuredRun> runsOf(const RunFile &file);

} // namespace meshwright
