// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/sentence_text.h"
#include "theme/roles.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace meshwright {

class ConfigurationSelection;
struct LayoutRow;

/// Texts about the best configuration of a search, or about another of its results.
struct FoundText {
    QString caution = {}; ///< why the plan's software cannot run the configuration; empty if it can
    QString lead = {}; ///< "Best configuration that fits:"
    SentenceText figure = {}; ///< "12%", "3.10 days"; empty if `words` is complete by itself
    QString words = {}; ///< "faster than the plan"
    SentenceText aside = {}; ///< a second figure that explains the first: "Step 27% faster"
    SentenceText merit = {}; ///< why the configuration is preferred to another one that ties with it
    SentenceText plan = {}; ///< why the plan itself is not ranked
    Tone tone = Tone::Neutral;
    SentenceText changes = {}; ///< "tensor 8 → 4, chunks 1 → 5": every change
    QStringList each = {}; ///< the changes as a list, one per entry
    SentenceText why = {}; ///< the terms of the step time that differ most
    bool applies = false; ///< whether the configuration differs from the plan's own
};

/// Texts for one row of the search results. @param best  whether the row is the best configuration
FoundText foundText(const ConfigurationSelection &selection, const LayoutRow &row, bool best);
FoundText nothingFitsText(const ConfigurationSelection &selection);

/// The configuration that would fit with a wider search: "Fits if the search includes offloading to host memory (21.6 s
/// per step)".
SentenceText widerText(const ConfigurationSelection &selection);

} // namespace meshwright
