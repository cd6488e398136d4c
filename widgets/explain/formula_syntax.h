// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace meshwright {

/// Syntax tree of a formula, for typesetting. It holds no values.
struct FormulaPart {
    enum class Kind {
        Number,
        Name,
        Negation, ///< a minus sign before the only part
        Operation, ///< text is the operator between its two parts
        Call, ///< text is the function, parts its arguments
        Choice ///< a conditional; its parts are the condition, the value if true and the value if false
    };
    Kind kind = Kind::Number;
    QString text = {};
    std::vector<FormulaPart> parts = {};
};

FormulaPart formulaPartOf(const Expression &expression);
/// Parses a formula in muParser's syntax. Returns nothing if the text is not such a formula.
std::optional<FormulaPart> readFormula(const QString &text);

/// The letter of a symbol of a formula in the catalog, as papers write it; other names are returned unchanged.
QString symbolLetter(const QString &name, const Formula &formula);
/// The part with other names. @param rename  returns the new name
FormulaPart renamed(FormulaPart part, const std::function<QString(const QString &)> &rename);

/// Precedence of an operation; an operand of lower precedence needs brackets.
int bindingOf(const FormulaPart &part);
inline constexpr int SumBinding = 4;
inline constexpr int ProductBinding = 5;
inline constexpr int PowerBinding = 7;

/// Text for a division by zero: "undefined" for 0 / 0, otherwise "∞"; empty for other parts.
QString limitOf(const FormulaPart &part);

/// A name such as "step_compute_seconds" is typeset as its first word with the others as a subscript.
struct NameParts {
    QString letter;
    QString subscript;
};
NameParts namePartsOf(const QString &name);

} // namespace meshwright
