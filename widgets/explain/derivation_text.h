// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "theme/roles.h"

#include <QString>

namespace meshwright {

// Text of a figure's derivation, for views and the clipboard.

/// The text with × ÷ − as operators; units such as GB/s stay as they are.
QString withSigns(QString text);
/// Title of a node: "Step time".
QString titleOf(const Derivation &node);
/// Formatted value: "21.0 s", "34.8%".
QString valueTextOf(const Derivation &node);
/// Where the value comes from: "plan field", "fitted", "derived".
QString originTextOf(const Derivation &node);
Tone originToneOf(const Derivation &node);
/// Whether a node has a formula to show. The call of a simulation is not a formula; its source describes it.
bool hasFormula(const Derivation &node);
/// The name of an input without its unit: "weights" for "weights_bytes", unless another input would then have the
/// same name.
QString shortName(const Derivation &node, const QString &input);
/// The formula in one line: "accelerators × run seconds ÷ 3600"; empty for a leaf.
QString formulaLineOf(const Derivation &node);
/// The formula in one line with the values of its inputs; empty for a leaf.
QString numbersLineOf(const Derivation &node);

enum class CopyFormat { Text, Markdown, Latex };
/// The derivation for the clipboard: value, paragraph, formula, formula with numbers, inputs and sources.
/// @param paragraph  the paragraph about the figure; may be empty
QString copyOf(const Derivation &node, CopyFormat format, const QString &paragraph = {});

} // namespace meshwright
