// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "theme/roles.h"

#include <QString>

namespace meshwright {

// How the derivation of a figure is said in words, in a view and on the clipboard.

/// A text with × ÷ − for its operators; units ("GB/s") stay as they are.
QString withSigns(QString text);
/// "Time of one step"
QString titleOf(const Derivation &node);
/// "21.0 s", "34.8 %"
QString valueTextOf(const Derivation &node);
/// "plan field", "fitted", "derived"
QString originTextOf(const Derivation &node);
Tone originToneOf(const Derivation &node);
/// The formula in one line: "accelerators × run seconds ÷ 3600"; empty for a leaf.
QString formulaLineOf(const Derivation &node);
/// The same with the inputs' numbers.
QString numbersLineOf(const Derivation &node);

enum class CopyFormat { Text, Markdown, Latex };
/// Value, formula, the formula with the numbers, inputs and sources.
QString copyOf(const Derivation &node, CopyFormat format);

} // namespace meshwright
