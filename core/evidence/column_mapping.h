// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/csv_table.h"
#include "evidence/run_columns.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

struct MappedColumn {
    std::string target; ///< name of a RunColumn; empty if the column is ignored
    double factor = 1;
    RateOf rate = RateOf::each_gpu; ///< for throughput: whether per GPU or the total of all GPUs
    bool operator==(const MappedColumn &) const = default;
};

struct ColumnMapping {
    std::vector<MappedColumn> columns; ///< one entry per column, in the table's order
    /// Values for rows without a value of their own, by name of the RunColumn.
    std::map<std::string, std::string> for_all_rows;
    bool operator==(const ColumnMapping &) const = default;
};

/// Guesses the mapping from column names and the units in them ("step_time_ms", "peak mem [GB]"). Uses each RunColumn
/// at most once.
ColumnMapping guessed_mapping(const CsvTable &table);

/// Required columns that are neither mapped nor set for all rows. "step_seconds" stands for any measured figure.
std::vector<std::string> missing_columns(const ColumnMapping &mapping);

/// Whether the table has all required columns under their RunColumn names.
bool is_run_table(const CsvTable &table);

/// Whether the table can be read without a mapping: all required columns are present, or every column is a RunColumn.
bool reads_without_mapping(const CsvTable &table);

/// Converts the table to columns named as RunColumns. Each number is multiplied by the factor of its column, or of the
/// unit that follows it ("61.5 GB"). Cells without a number are unchanged. Rows without an id get "row 1" and so on.
/// @pre the mapping has as many columns as the table
/// @param rows_called  prefix of those ids
CsvTable mapped_table(const CsvTable &table, const ColumnMapping &mapping, std::string_view rows_called = "row");

/// Reads a table of measured runs: unchanged if it has ids, otherwise with guessed_mapping().
/// @throws InputError that lists the missing required columns and the names that they may have
CsvTable as_run_table(CsvTable table, std::string_view rows_called = "row");

/// Formats the mapping as one line for the settings; parse_mapping() reads it. Empty for an empty mapping.
std::string text_of(const ColumnMapping &mapping);
/// @returns a mapping with one entry per column of the table; guessed if the text does not match the table
ColumnMapping parse_mapping(std::string_view text, const CsvTable &table);

} // namespace meshwright
