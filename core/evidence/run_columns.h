// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// A column of a table of measured runs, as a mapping offers it.
struct RunColumn {
    std::string_view name; ///< "step_seconds"
    std::string_view title; ///< "Step time"
    std::string_view explanation; ///< content of the column, in one line
    std::string_view example;
    std::string_view unit; ///< unit of its numbers: "s", "bytes", "tokens/s"; empty for text and counts
    std::string_view aliases; ///< other names in use, in lower case, separated by spaces
};
/// Every column that is read, in the order of the template.
const std::vector<RunColumn> &run_columns();
/// @pre there is a column with this name
const RunColumn &run_column(std::string_view name);
/// The column with this alias (lower case, without unit), such as "gbs"; null for none.
const RunColumn *run_column_called(std::string_view name);
/// Whether a name in lower case means the rate of all GPUs together: "tokenspersecond".
bool is_rate_of_all_gpus(std::string_view name);

/// Whether a rate is per GPU or of all GPUs together.
enum class RateOf { each_gpu, all_gpus };

/// A unit that a user's column may have, with the factor to the program's unit.
struct ColumnUnit {
    std::string_view name;
    double factor = 1;
    /// Whether a rate is per GPU, or a total to be divided by the number of GPUs.
    RateOf rate = RateOf::each_gpu;
};
/// A unit as the last word of a column's name, or after the number in a cell.
struct NamedUnit {
    std::string_view word;
    ColumnUnit unit;
};
/// Words for the units of a column, its own first; empty for text and plain numbers.
const std::vector<NamedUnit> &named_units(const RunColumn &column);
/// Units of a column, its own first; one unnamed unit if it has none.
std::vector<ColumnUnit> column_units(std::string_view column);

/// The unit at the end of a column's name, "Duration [ms]"; the column's default unit if its name has none.
ColumnUnit unit_named_in(const RunColumn &column, std::string_view name);

/// Lower-case words of a column's name: "Step time [ms]" gives step, time, ms.
std::vector<std::string> words_of_column(std::string_view name);

/// A CSV with all columns, a line that explains each (its id starts with "#", so that it is not read as a run), and an
/// example run.
std::string run_table_template();

} // namespace meshwright
