// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/csv_table.h"
#include "evidence/measured_run.h"
#include "evidence/run_plan.h"

#include <string>
#include <vector>

namespace meshwright {

class Library;

/// How a row of a table is read.
struct RowReading {
    std::string problem; ///< why it cannot be used; empty if it can
    MeasuredRun run;
    RunPlan plan;
};

/// Checks a table's rows. A row must have the values needed for a prediction, and figures that are possible on its
/// machine: most impossible ones are in another unit.
/// @param mapped  table with the program's columns, including `id`
/// @param most  maximum number of rows to check
std::vector<RowReading> rows_as_read(const CsvTable &mapped, std::size_t most, const RunRules &rules,
                                     const Library &library);

} // namespace meshwright
