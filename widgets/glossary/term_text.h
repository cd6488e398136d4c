// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/sentence_text.h"
#include "glossary/glossary.h"

#include <QString>
#include <QStringList>

namespace meshwright {

/// Adds links to the sentence: the first mention of each glossary term, unless it is part of a figure, opens the term's
/// definition.
/// @param without  ids of terms that are not marked
SentenceText withTerms(const SentenceText &sentence, const QStringList &without = {});

/// The glossary's sentence on a plan field, broken into lines, with the key that opens the full entry; empty if no term
/// explains just this field.
QString fieldToolTip(const QString &pointer);

/// Converts a text of the core's glossary from UTF-8.
inline QString glossaryText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace meshwright
