// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/csv_table.h"
#include "evidence/run_rules.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// A column of a table of measured runs, as a mapping offers it.
struct RunColumn {
    std::string_view name; ///< "step_seconds"
    std::string_view title; ///< "Step time"
    std::string_view explanation; ///< one line
    std::string_view example;
    std::string_view unit; ///< what its numbers are in: "s", "bytes", "tokens/s"; empty for text and counts
    std::string_view aliases; ///< what others call it, in lower case, with spaces between
};
/// Every column that is read, in the order of a template.
const std::vector<RunColumn> &run_columns();
/// @pre there is one of this name
const RunColumn &run_column(std::string_view name);

/// A unit in which others give a column, and by what their numbers are multiplied.
struct ColumnUnit {
    std::string_view name;
    double factor = 1;
};
/// Units of a column, its own first; one nameless unit where it has none.
std::vector<ColumnUnit> column_units(std::string_view column);

/// What one column of somebody's table is.
struct MappedColumn {
    std::string target; ///< a RunColumn's name; empty: not used
    double factor = 1;
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

/// The table with the program's columns. A number is multiplied by its column's factor; a cell that holds none is left
/// as it is. Rows without an id get "row 1" and so on. @pre the mapping has as many columns as the table
CsvTable mapped_table(const CsvTable &table, const ColumnMapping &mapping);

/// A table as one of measured runs: one with ids as it is, any other by the guess.
/// @throws InputError naming what is needed and in no column, with what the columns may be called
CsvTable as_run_table(CsvTable table);

/// What becomes of a row: empty where it can be predicted, else the reason.
/// @param most  rows looked at
std::vector<std::string> row_verdicts(const CsvTable &mapped, std::size_t most, const RunRules &rules,
                                      const Library &library);

/// A CSV with all columns, a line that explains each (its id begins with "#", so that it is not read as a run), and a
/// run as an example.
std::string run_table_template();

/// One line of text that parse_mapping() reads back, to be remembered; empty text for a mapping of nothing.
std::string text_of(const ColumnMapping &mapping);
/// @returns a mapping of so many columns; the guess where the text is none of this table
ColumnMapping parse_mapping(std::string_view text, const CsvTable &table);

} // namespace meshwright
