// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/derivation_text.h"
#include "explain/formula_syntax.h"
#include "formulas/formula.h"

#include <QString>

#include <optional>

namespace meshwright {

/// Value with its unit: "70.1 ms".
QString valueTextOf(const Calculation::Value &value);
/// The formula with numbers in place of names, and × and ÷ as operators; units such as GB/s are unchanged.
QString numbersLineOf(const Calculation::Value &value);
/// The formula with the symbols' letters instead of their names; nothing if the result comes from a simulation.
std::optional<FormulaPart> letteredFormula(const Formula &formula, const FormulaResult &result);
/// The calculation for the clipboard: values, formulas, formulas with numbers, arguments, notes and source.
QString copyOf(const Calculation &calculation, CopyFormat format);

} // namespace meshwright
