// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/combo_item.h"
#include "formulas/derivation.h"

#include <QVector>

namespace meshwright {

/// Every figure of a result that has a derivation, by its part of the result; ids are the nodes' names.
QVector<ComboItem> figuresOf(const Derivation &tree);

} // namespace meshwright
