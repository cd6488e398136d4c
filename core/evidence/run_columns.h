// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// A column of measured runs, to which a mapping can assign a column of a user's table.
struct RunColumn {
    std::string_view name;
    std::string_view title;
    std::string_view explanation;
    std::string_view example;
    std::string_view unit; ///< unit of its numbers: "s", "bytes", "tokens/s"; empty for text and counts
    std::string_view aliases; ///< other names for the column, in lower case, separated by spaces
};
const std::vector<RunColumn> &run_columns();
/// @pre there is a column with this name
const RunColumn &run_column(std::string_view name);
/// The column with this alias (lower case, without unit), such as "gbs"; null if there is none.
const RunColumn *run_column_called(std::string_view name);
/// Whether a name in lower case, such as "tokenspersecond", means the total rate of all GPUs.
bool is_rate_of_all_gpus(std::string_view name);

enum class RateOf { each_gpu, all_gpus };

/// A unit that a user's column may have, with the factor to the program's unit.
struct ColumnUnit {
    std::string_view name;
    double factor = 1;
    RateOf rate = RateOf::each_gpu;
};
/// A spelling of a unit, as in a column's name or after the number in a cell.
struct NamedUnit {
    std::string_view word;
    ColumnUnit unit;
};
/// Spellings of the column's units, beginning with its own unit; empty for text and plain numbers.
const std::vector<NamedUnit> &named_units(const RunColumn &column);
/// Units of a column, beginning with its own; one unnamed unit if the column has none.
std::vector<ColumnUnit> column_units(std::string_view column);

/// The unit at the end of a column's name, as in "Duration [ms]"; the column's own unit if the name has none.
ColumnUnit unit_named_in(const RunColumn &column, std::string_view name);

/// Splits a column's name into lower-case words: "Step time [ms]" gives step, time, ms.
std::vector<std::string> words_of_column(std::string_view name);

/// Returns a CSV template with all columns, a row of explanations and an example run. The id of the row of explanations
/// starts with "#", so it is not read as a run.
std::string run_table_template();

} // namespace meshwright
