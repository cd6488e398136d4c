// SPDX-License-Identifier: GPL-3.0-or-later
#include "palette/palette_model.h"

#include "palette/fuzzy_match.h"

#include <QHash>
#include <QStringList>

#include <algorithm>

namespace meshwright {

namespace {

/// A word that is not shown counts less than the title.
constexpr int hiddenWords = 12;
/// Letters strewn over a text are no match: each must bring so much on average.
constexpr int leastPerLetter = 6;
/// A symbol typed in full is as good as the title's own word, but for the letter that begins it.
constexpr int symbolPerLetter = 14;

bool isGood(const FuzzyMatch &match, const QString &typed) {
    return match.score >= leastPerLetter * static_cast<int>(typed.size()) - 6;
}

/// How well the words that are not shown, one a line, fit what was typed; nothing where it is in none of them.
std::optional<int> scoreOfWords(const QString &words, const QString &typed) {
    if (!words.contains(typed, Qt::CaseInsensitive))
        return std::nullopt;
    const int letters = static_cast<int>(typed.size());
    const bool isSymbol = words.split(QLatin1Char('\n')).contains(typed, Qt::CaseInsensitive);
    return isSymbol ? symbolPerLetter * letters : leastPerLetter * letters - hiddenWords;
}

} // namespace

void PaletteModel::setItems(const QVector<PaletteItem> &items) {
    m_items = items;
    find();
}

void PaletteModel::setTyped(const QString &typed) {
    m_typed = typed.simplified();
    find();
}

void PaletteModel::find() {
    beginResetModel();
    QStringList groups;
    QHash<QString, QVector<Row>> found;
    m_matches = 0;
    for (int i = 0; i < m_items.size(); ++i) {
        const PaletteItem &item = m_items.at(i);
        Row row{.item = i};
        const std::optional<FuzzyMatch> match = fuzzyMatch(m_typed, item.title);
        const std::optional<int> words = scoreOfWords(item.words, m_typed);
        if (match && isGood(*match, m_typed)) {
            row.score = std::max(match->score, words.value_or(match->score));
            row.positions = match->positions;
        } else if (words) {
            row.score = *words;
        } else {
            continue;
        }
        if (!groups.contains(item.group))
            groups << item.group;
        found[item.group].append(row);
        ++m_matches;
    }
    for (QVector<Row> &rows : found)
        std::stable_sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) { return a.score > b.score; });
    std::stable_sort(groups.begin(), groups.end(), [&](const QString &a, const QString &b) {
        return found[a].first().score > found[b].first().score;
    });
    m_rows.clear();
    for (const QString &group : groups)
        m_rows += found[group].mid(0, MostOfGroup);
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant PaletteModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const PaletteItem &item = itemAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return item.title;
    case Qt::AccessibleTextRole:
        return item.detail.isEmpty() ? tr("%1, %2").arg(item.title, item.group)
                                     : tr("%1, %2, %3").arg(item.title, item.detail, item.group);
    case GroupRole:
        return item.group;
    case DetailRole:
        return item.detail;
    case IconRole:
        return item.icon;
    case PositionsRole:
        return QVariant::fromValue(m_rows.at(index.row()).positions);
    case StartsGroupRole:
        return index.row() == 0 || itemAt(index.row() - 1).group != item.group;
    default:
        return {};
    }
}

} // namespace meshwright
