// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// The rows of a table in presets/launchers, each with the cells of the given columns in their order. Empty if the
/// table cannot be read or lacks a column.
/// @param file  name of the table: "options.csv"
std::vector<std::vector<std::string>> launcher_table(const Library &library, std::string_view file,
                                                     const std::vector<std::string_view> &columns);

} // namespace meshwright
