// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/sentence_text.h"
#include "glossary/glossary.h"

#include <QString>
#include <QStringList>

namespace meshwright {

/// Links the first mention of each glossary term to its definition, unless the mention is part of a figure.
/// @param without  ids of terms to skip
SentenceText withTerms(const SentenceText &sentence, const QStringList &without = {});

/// The glossary's sentence about a plan field, wrapped, with the key that opens the full entry. Empty if no term
/// explains exactly this field.
QString fieldToolTip(const QString &pointer);

inline QString glossaryText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace meshwright
