// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/csv_table.h"
#include "evidence/run_columns.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// How to read one column of a user's table.
struct MappedColumn {
    std::string target; ///< name of a RunColumn; empty if the column is not used
    double factor = 1;
    RateOf rate = RateOf::each_gpu; ///< whether a rate is the total of all GPUs and has to be divided by their number
    bool operator==(const MappedColumn &) const = default;
};

/// How to read a user's table as a table of measured runs.
struct ColumnMapping {
    std::vector<MappedColumn> columns; ///< mapping of each column of the table, in the table's order
    /// Values for rows that have no value in the table, by name of the RunColumn.
    std::map<std::string, std::string> for_all_rows;
    bool operator==(const ColumnMapping &) const = default;
};

/// Guesses the mapping from the columns' names and the units in them ("step_time_ms", "peak mem [GB]"). Each of the
/// program's columns is used at most once.
ColumnMapping guessed_mapping(const CsvTable &table);

/// Required columns that are not mapped and have no value for all rows; "step_seconds" stands for any measured figure.
std::vector<std::string> missing_columns(const ColumnMapping &mapping);

/// Whether the table has all required columns under the program's own names.
bool is_run_table(const CsvTable &table);

/// Whether the table can be read without a mapping: it has the required columns, or no columns other than the
/// program's.
bool reads_without_mapping(const CsvTable &table);

/// Converts the table to the program's columns. A number is multiplied by the factor of its column, or of the unit that
/// follows it ("61.5 GB"); a cell without a number is unchanged. Rows without an id get "row 1" and so on.
/// @pre the mapping has as many columns as the table
/// @param rows_called  prefix of the ids of such rows
CsvTable mapped_table(const CsvTable &table, const ColumnMapping &mapping, std::string_view rows_called = "row");

/// Reads a table of measured runs. A table with ids is read unchanged, any other by guessed_mapping().
/// @throws InputError that lists the missing required columns and the names that they may have
CsvTable as_run_table(CsvTable table, std::string_view rows_called = "row");

/// Writes the mapping as one line of text for the settings, which parse_mapping() reads; empty for an empty mapping.
std::string text_of(const ColumnMapping &mapping);
/// @returns a mapping with the table's number of columns; the guessed mapping if the text does not match the table
ColumnMapping parse_mapping(std::string_view text, const CsvTable &table);

} // namespace meshwright
