// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>

#include <optional>

namespace meshwright {

/// How well typed letters match a text, and which of its characters they match.
struct FuzzyMatch {
    int score = 0; ///< higher is better
    QVector<int> positions = {}; ///< ascending
};

/// Finds the letters of `typed` in `text`, in order, ignoring case and whatever lies between them; spaces, hyphens and
/// underscores in `typed` are ignored. Adjacent letters and letters that begin a word raise the score, skipped
/// characters lower it. Returns nothing if a letter is missing; an empty `typed` matches every text equally.
std::optional<FuzzyMatch> fuzzyMatch(const QString &typed, const QString &text);

} // namespace meshwright
