// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace meshwright {

/// Makes every column as wide as its widest cell and its own name; the stretching ones and those of a fixed width stay.
void fitColumns(QTableView &table);

} // namespace meshwright
