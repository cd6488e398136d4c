// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/run_file.h"

#include "input/diagnostic.h"
#include "input/files.h"

#include <QFileInfo>

#include <filesystem>

namespace meshwright {

QString RunFile::name() const {
    return QFileInfo(path).fileName();
}

std::vector<MeasuredRun> runsOf(const RunFile &file) {
    CsvTable table =
        read_csv(file.rows.empty() ? read_file(std::filesystem::path(file.path.toStdString())) : file.rows);
    if (table.rows.empty())
        throw InputError("/1", "has column names but no rows", "expected one row per run");
    const std::string rows = QFileInfo(file.path).completeBaseName().toStdString() + " row";
    // The columns may have changed since the mapping was made.
    if (file.mapping && file.mapping->columns.size() == table.columns.size())
        return measured_runs(mapped_table(table, *file.mapping, rows));
    return measured_runs(as_run_table(std::move(table), rows));
}

} // namespace meshwright
