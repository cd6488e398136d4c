// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/formula_syntax.h"

#include <functional>

namespace meshwright {

/// What stands for a name in LaTeX; an empty text for the name itself.
using LatexNames = std::function<QString(const QString &name)>;

/// A formula in LaTeX's mathematical mode: fractions for /, \cdot for *, subscripts for names of several words.
QString latexOf(const FormulaPart &part, const LatexNames &names = {});
QString latexName(const QString &name);
/// A value as people read it, "1.5 GB", with its unit upright.
QString latexValue(const QString &text);
/// Words in a mathematical formula, or outside of one.
QString latexWords(const QString &words);

} // namespace meshwright
