// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/formula_syntax.h"

#include <functional>

namespace meshwright {

/// LaTeX to show in place of a name; an empty text shows the name itself.
using LatexNames = std::function<QString(const QString &name)>;

/// A formula in LaTeX math mode: \frac for /, \cdot for *, subscripts for names of several words.
QString latexOf(const FormulaPart &part, const LatexNames &names = {});
QString latexName(const QString &name);
/// A value such as "1.5 GB", with an upright unit.
QString latexValue(const QString &text);
/// Escapes words for use in LaTeX, in math mode or in text.
QString latexWords(const QString &words);

} // namespace meshwright
