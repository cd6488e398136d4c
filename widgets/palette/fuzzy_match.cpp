// SPDX-License-Identifier: GPL-3.0-or-later
#include "palette/fuzzy_match.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace meshwright {

namespace {

constexpr int letterScore = 4;
constexpr int followingScore = 10;
constexpr int wordScore = 8;
constexpr int firstScore = 6;
constexpr int worst = std::numeric_limits<int>::min() / 2;
/// Maximum number of characters that are searched.
constexpr int longest = 160;

bool beginsWord(const QString &text, int at) {
    return at == 0 || !text.at(at - 1).isLetterOrNumber();
}

QString lettersOf(const QString &typed) {
    QString letters;
    const QString lower = typed.toLower();
    for (const QChar c : lower)
        if (!c.isSpace() && c != QLatin1Char('-') && c != QLatin1Char('_'))
            letters += c;
    return letters.left(longest);
}

} // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString &typed, const QString &text) {
    const QString letters = lettersOf(typed);
    const QString lower = text.left(longest).toLower();
    const int count = static_cast<int>(letters.size());
    const int length = static_cast<int>(lower.size());
    if (count == 0)
        return FuzzyMatch{};
    if (count > length)
        return std::nullopt;
    // best[i][j]: best score with letter i at position j; before[i][j]: position of letter i - 1 in that match.
    std::vector<std::vector<int>> best(count, std::vector<int>(length, worst));
    std::vector<std::vector<int>> before(count, std::vector<int>(length, -1));
    for (int i = 0; i < count; ++i) {
        int bestBefore = -1;
        for (int j = i; j < length; ++j) {
            // An earlier position loses a point for each character skipped.
            if (i > 0 && best[i - 1][j - 1] > worst
                && (bestBefore < 0 || best[i - 1][j - 1] >= best[i - 1][bestBefore] - (j - 1 - bestBefore)))
                bestBefore = j - 1;
            if (lower.at(j) != letters.at(i) || (i > 0 && bestBefore < 0))
                continue;
            const int own = letterScore + (beginsWord(lower, j) ? wordScore : 0) + (j == 0 ? firstScore : 0);
            if (i == 0) {
                best[i][j] = own - std::min(j, 8);
                continue;
            }
            const int gap = best[i - 1][bestBefore] - (j - 1 - bestBefore);
            const int following = best[i - 1][j - 1] > worst ? best[i - 1][j - 1] + followingScore : worst;
            best[i][j] = own + std::max(gap, following);
            before[i][j] = following >= gap ? j - 1 : bestBefore;
        }
    }
    const auto last = std::max_element(best.back().begin(), best.back().end());
    if (*last <= worst)
        return std::nullopt;
    FuzzyMatch match{.score = *last};
    int at = static_cast<int>(last - best.back().begin());
    for (int i = count - 1; i >= 0; --i) {
        match.positions.prepend(at);
        at = before[i][at];
    }
    return match;
}

} // namespace meshwright
