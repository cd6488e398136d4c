// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/derivation_text.h"
#include "explain/formula_syntax.h"
#include "formulas/formula.h"

#include <QString>

#include <optional>

namespace meshwright {

// How a calculation is said in words, in a view and on the clipboard.

/// "70.1 ms"
QString valueTextOf(const Calculation::Value &value);
/// With × and ÷ for operators; units stay.
QString numbersLineOf(const Calculation::Value &value);
/// The text with the symbols' letters for their names; nothing where a procedure gives the result.
std::optional<FormulaPart> letteredFormula(const Formula &formula, const FormulaResult &result);
/// Values, formulas, the formulas with the numbers, arguments, notes and source.
QString copyOf(const Calculation &calculation, CopyFormat format);

} // namespace meshwright
