// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// A table in the format of RFC 4180: a header line with column names, then rows with the same number of cells.
struct CsvTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;

    static constexpr std::size_t missing = static_cast<std::size_t>(-1);
    std::size_t column(std::string_view name) const; ///< index of a column by its name, or `missing`
};

inline constexpr std::size_t max_csv_columns = 1000;
inline constexpr std::size_t max_csv_cells = 2'000'000;

/// Reads a table from an untrusted text. Short rows are padded with empty cells; empty lines are skipped.
/// @throws InputError for a text over 16 MiB, more than `max_csv_columns` or `max_csv_cells`, a NUL byte, a missing
///         header line, a duplicate column name, a row that is too long, or an unclosed quote; the pointer is the line
CsvTable read_csv(std::string_view text);

} // namespace meshwright
