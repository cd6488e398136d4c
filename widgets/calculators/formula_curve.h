// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"
#include "formulas/formula.h"

#include <vector>

namespace meshwright {

/// Symbols that a result can be drawn against: its arguments that are amounts.
std::vector<const Symbol *> curveSymbols(const Formula &formula, const FormulaResult &result);

/// A result against one symbol around its present value, the others as they are, with the present value marked.
/// @pre the calculation has the result's value and the symbol's
ChartView formulaCurve(const Calculation &calculation, const Calculation::Value &value, const Symbol &symbol);

/// "Data on each rank"
QString capitalised(std::string_view words);

} // namespace meshwright
