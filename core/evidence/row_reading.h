// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/csv_table.h"
#include "evidence/measured_run.h"
#include "evidence/run_plan.h"

#include <string>
#include <vector>

namespace meshwright {

class Library;

/// What a row of a table is read as.
struct RowReading {
    std::string problem; ///< why it cannot be used; empty where it can
    MeasuredRun run;
    RunPlan plan;
};

/// What becomes of a table's rows. Beyond what a run needs to be predicted, its figures must be such as its machine can
/// reach: most that are not were given in another unit.
/// @param mapped  with the program's columns, `id` among them
/// @param most  rows looked at
std::vector<RowReading> rows_as_read(const CsvTable &mapped, std::size_t most, const RunRules &rules,
                                     const Library &library);

} // namespace meshwright
