// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/combo_item.h"
#include "formulas/derivation.h"

#include <QVector>

namespace meshwright {

/// All figures of a result that have a derivation, grouped by section of the result; ids are node names.
QVector<ComboItem> figuresOf(const Derivation &tree);

} // namespace meshwright
