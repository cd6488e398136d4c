// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantities/figure_in_text.h"
#include "theme/roles.h"

#include <QString>

#include <vector>

namespace meshwright {

class LayoutSelection;
struct LayoutRow;

/// A line with the figures that it says.
struct SaidLine {
    QString text;
    std::vector<FigureInText> figures = {};
};

/// What a search has found, or what a layout of it would bring, in words.
struct FoundText {
    SaidLine figure; ///< "12 %"; empty: the words alone
    QString words; ///< "faster found"
    Tone tone = Tone::Neutral;
    SaidLine changes; ///< "tensor 8 → 4, chunks 1 → 5"
    SaidLine why; ///< the terms of the step that differ most
    bool applies = false; ///< it is another layout than the plan's
};

/// Of one of the answer's layouts. @param best  it is what the search has found
FoundText foundText(const LayoutSelection &selection, const LayoutRow &row, bool best);
/// Of an answer that lists no layout that fits.
FoundText nothingFitsText(const LayoutSelection &selection);

/// What would fit if the search were to vary one thing more: "Fits where the search may vary
/// offloading to host memory (21.6 s a step)".
SaidLine widerText(const LayoutSelection &selection);

} // namespace meshwright
