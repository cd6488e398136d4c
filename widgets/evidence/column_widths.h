// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

class QTableView;

namespace meshwright {

/// Makes each column as wide as its widest cell and its title. Stretching columns and columns of fixed width are not
/// changed.
void fitColumns(QTableView &table);

/// Hides optional columns until the stretching first column has room for a name.
/// @param nameWidth minimum width of the first column in px
/// @param spare optional columns, in the order of hiding
void showColumnsThatFit(QTableView &table, int nameWidth, std::span<const int> spare);

} // namespace meshwright
