// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/csv_table.h"
#include "evidence/measured_run.h"
#include "evidence/run_plan.h"

#include <string>
#include <vector>

namespace meshwright {

class Library;

struct RowReading {
    std::string problem; ///< why the row cannot be used; otherwise empty
    MeasuredRun run;
    RunPlan plan;
};

/// Checks a table's rows. A row must have the values needed for a prediction, and its figures must be possible on its
/// machine; an impossible figure is usually in the wrong unit.
/// @param mapped  table with the program's columns, including `id`
/// @param most  maximum number of rows to check
std::vector<RowReading> rows_as_read(const CsvTable &mapped, std::size_t most, const RunRules &rules,
                                     const Library &library);

} // namespace meshwright
