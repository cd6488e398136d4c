// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

class QTableView;

namespace meshwright {

/// Makes every column as wide as its widest cell and its own name; the stretching ones and those of a fixed width stay.
void fitColumns(QTableView &table);

/// Hides columns that can be spared until the first one, which stretches, has room for a name.
/// @param nameWidth  in which one is still told from others, px
/// @param spare  those, the first to go first
void showColumnsThatFit(QTableView &table, int nameWidth, std::span<const int> spare);

} // namespace meshwright
