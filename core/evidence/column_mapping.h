// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/csv_table.h"
#include "evidence/run_columns.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// What one column of somebody's table is.
struct MappedColumn {
    std::string target; ///< a RunColumn's name; empty: not used
    double factor = 1;
    RateOf rate = RateOf::each_gpu; ///< of a rate: all GPUs' is divided by the row's number of them
    bool operator==(const MappedColumn &) const = default;
};

/// How somebody's table is read as one of measured runs.
struct ColumnMapping {
    std::vector<MappedColumn> columns; ///< of the table, in its order
    std::map<std::string, std::string> for_all_rows; ///< by RunColumn's name, where no column says it
    bool operator==(const ColumnMapping &) const = default;
};

/// By the names of the columns, and by the unit that stands in them ("step_time_ms", "peak mem [GB]"). Each of the
/// program's columns is taken once.
ColumnMapping guessed_mapping(const CsvTable &table);

/// What is needed and neither mapped nor given for all rows: names of columns; "step_seconds" stands for any measured
/// figure.
std::vector<std::string> missing_columns(const ColumnMapping &mapping);

/// Whether the table says everything that is needed under the program's own names.
bool is_run_table(const CsvTable &table);

/// Whether nothing has to be chosen for the table to be read: it says what is needed, or has no column that is not the
/// program's.
bool reads_without_mapping(const CsvTable &table);

/// The table with the program's columns. A number is multiplied by its column's factor, or by that of the unit behind
/// it
/// ("61.5 GB"); a cell that holds none is left as it is. Rows without an id get "row 1" and so on.
/// @pre the mapping has as many columns as the table
/// @param rows_called  what those ids begin with
CsvTable mapped_table(const CsvTable &table, const ColumnMapping &mapping, std::string_view rows_called = "row");

/// A table as one of measured runs: one with ids as it is, any other by the guess.
/// @throws InputError naming what is needed and in no column, with what the columns may be called
CsvTable as_run_table(CsvTable table, std::string_view rows_called = "row");

/// One line of text that parse_mapping() reads back, to be remembered; empty text for a mapping of nothing.
std::string text_of(const ColumnMapping &mapping);
/// @returns a mapping of so many columns; the guess where the text is none of this table
ColumnMapping parse_mapping(std::string_view text, const CsvTable &table);

} // namespace meshwright
