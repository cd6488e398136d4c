// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>

#include <optional>

namespace meshwright {

struct FuzzyMatch {
    int score = 0; ///< score of the match; higher is better
    QVector<int> positions = {}; ///< ascending
};

/// Finds the letters of `typed` in `text`, in order, ignoring case and the characters between them. Spaces, hyphens and
/// underscores in `typed` are ignored. Adjacent letters and initial letters raise the score; skipped characters lower
/// it. Returns nothing if a letter is missing. An empty `typed` matches every text equally.
std::optional<FuzzyMatch> fuzzyMatch(const QString &typed, const QString &text);

} // namespace meshwright
