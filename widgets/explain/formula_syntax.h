// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace meshwright {

/// A formula's text taken apart, for what typesets it. Says nothing of values.
struct FormulaPart {
    enum class Kind {
        Number,
        Name,
        Negation, ///< of its one part
        Operation, ///< text is the operator between its two parts
        Call, ///< text is the function, parts its arguments
        Choice ///< condition, then, otherwise
    };
    Kind kind = Kind::Number;
    QString text = {};
    std::vector<FormulaPart> parts = {};
};

/// Reads muParser's syntax: arithmetic, comparisons, ?:, functions. Nothing if the text is not such a formula.
std::optional<FormulaPart> readFormula(const QString &text);

/// How tightly an operation binds: what binds less than its surroundings needs brackets.
int bindingOf(const FormulaPart &part);
inline constexpr int SumBinding = 4;
inline constexpr int ProductBinding = 5;
inline constexpr int PowerBinding = 7;

/// A unit that a formula's text carries is set upright, behind its number: "FLOP" for flop. Empty for what is none.
QString unitOf(const FormulaPart &part);
/// What a division by nothing stands for: "undefined" for 0 / 0, "∞" for anything else; empty for other parts.
QString limitOf(const FormulaPart &part);

/// "step_compute_seconds" is typeset as its first word with the others beneath it.
struct NameParts {
    QString letter;
    QString subscript;
};
NameParts namePartsOf(const QString &name);

} // namespace meshwright
