// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>

#include <optional>

namespace meshwright {

/// How well typed letters fit a text, and which of its characters they are.
struct FuzzyMatch {
    int score = 0; ///< more is better
    QVector<int> positions = {}; ///< rising
};

/// Finds the letters of `typed` in `text` in their order, whatever their case and what lies between; spaces and hyphens
/// that were typed count for nothing. Letters that follow one another and those that begin a word score more, letters
/// passed over score less. Nothing if one is missing; an empty `typed` fits everything equally.
std::optional<FuzzyMatch> fuzzyMatch(const QString &typed, const QString &text);

} // namespace meshwright
