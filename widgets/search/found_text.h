// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/sentence_text.h"
#include "theme/roles.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace meshwright {

class LayoutSelection;
struct LayoutRow;

/// What a search has found, or what one of its configurations would bring, in words.
struct FoundText {
    QString caution = {}; ///< why the plan's software cannot run it
    QString lead = {}; ///< "Best configuration that fits:"
    SentenceText figure = {}; ///< "12 %", "3.10 days"; empty: the words alone
    QString words = {}; ///< "faster than the plan"
    SentenceText aside = {}; ///< "step 27 % faster": a second figure that explains the first
    SentenceText merit = {}; ///< what speaks for it where another is as good, or is tied with it
    SentenceText plan = {}; ///< what keeps the plan itself out of the results
    Tone tone = Tone::Neutral;
    SentenceText changes = {}; ///< "tensor 8 → 4, chunks 1 → 5": every change
    QStringList each = {}; ///< the same, one a line
    SentenceText why = {}; ///< the terms of the step that differ most
    bool applies = false; ///< it is another configuration than the plan's
};

/// Of one of the answer's rows. @param best  it is what the search has found
FoundText foundText(const LayoutSelection &selection, const LayoutRow &row, bool best);
/// Of an answer that lists no configuration that fits.
FoundText nothingFitsText(const LayoutSelection &selection);

/// What would fit if the search were to vary one thing more: "Fits with offloading to host memory searched as well
/// (21.6 s per step)".
SentenceText widerText(const LayoutSelection &selection);

} // namespace meshwright
