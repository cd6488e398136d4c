// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/csv_table.h"
#include "evidence/run_columns.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// How one column of a user's table is read.
struct MappedColumn {
    std::string target; ///< a RunColumn's name; empty: not used
    double factor = 1;
    RateOf rate =
        RateOf::each_gpu; ///< whether a rate is a total over all GPUs, to be divided by the row's number of GPUs
    bool operator==(const MappedColumn &) const = default;
};

/// How a user's table is read as a table of measured runs.
struct ColumnMapping {
    std::vector<MappedColumn> columns; ///< mapping of each column of the table, in the table's order
    /// Values that apply to all rows because no column gives them, by RunColumn's name.
    std::map<std::string, std::string> for_all_rows;
    bool operator==(const ColumnMapping &) const = default;
};

/// Guesses by the columns' names and the units in them ("step_time_ms", "peak mem [GB]"). Each of the program's columns
/// is used once.
ColumnMapping guessed_mapping(const CsvTable &table);

/// Required columns that are neither mapped nor given for all rows; "step_seconds" stands for any measured figure.
std::vector<std::string> missing_columns(const ColumnMapping &mapping);

/// Whether the table has all required columns under the program's own names.
bool is_run_table(const CsvTable &table);

/// Whether the table can be read without a mapping: it has the required columns, or only columns of the program.
bool reads_without_mapping(const CsvTable &table);

/// The table with the program's columns. A number is multiplied by the factor of its column, or of the unit after it
/// ("61.5 GB"); a cell without a number stays as it is. Rows without an id get "row 1" and so on.
/// @pre the mapping has as many columns as the table
/// @param rows_called  prefix of those ids
CsvTable mapped_table(const CsvTable &table, const ColumnMapping &mapping, std::string_view rows_called = "row");

/// Reads a table of measured runs: one with ids as it is, any other by guessed_mapping().
/// @throws InputError naming the required columns that are missing, with the names they may have
CsvTable as_run_table(CsvTable table, std::string_view rows_called = "row");

/// The mapping as one line of text for the settings, which parse_mapping() reads; empty for an empty mapping.
std::string text_of(const ColumnMapping &mapping);
/// @returns a mapping with the table's number of columns; the guess if the text does not match the table
ColumnMapping parse_mapping(std::string_view text, const CsvTable &table);

} // namespace meshwright
