// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"
#include "formulas/formula.h"

#include <vector>

namespace meshwright {

/// Symbols for the x axis of a result's plot: its arguments that are single amounts.
std::vector<const Symbol *> curveSymbols(const Formula &formula, const FormulaResult &result);

/// Plots a result against one symbol around its current value. The current value is marked, and the other symbols keep
/// their values.
/// @pre the calculation has values of the result and of the symbol
ChartView formulaCurve(const Calculation &calculation, const Calculation::Value &value, const Symbol &symbol);

/// Capitalizes the first word, unless it is a name of mixed case: "Data on each rank".
QString capitalised(std::string_view words);

} // namespace meshwright
