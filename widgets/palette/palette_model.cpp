// SPDX-License-Identifier: GPL-3.0-or-later
#include "palette/palette_model.h"

#include "palette/fuzzy_match.h"

#include <QHash>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace meshwright {

namespace {

/// Minimum score per letter, because letters scattered over a text do not count as a match.
constexpr int minPerLetter = 6;

/// How well the typed text names an item, worst first. Each level outweighs all points for letters and item type.
enum class Naming { none, within, scattered, symbol, word, beginning, whole };
constexpr int pointsOfNaming = 10'000;
/// Among items that the typed text names equally well, those closer to the plan come first.
constexpr int pointsOfKind = 1'000;
constexpr int maxPointsOfLetters = 999;

bool isGood(const FuzzyMatch &match, const QString &typed) {
    return match.score >= minPerLetter * static_cast<int>(typed.size()) - 6;
}

Naming namingBy(const QString &typed, const QString &name) {
    if (name.compare(typed, Qt::CaseInsensitive) == 0)
        return Naming::whole;
    if (name.startsWith(typed, Qt::CaseInsensitive))
        return Naming::beginning;
    for (qsizetype at = name.indexOf(typed, 1, Qt::CaseInsensitive); at > 0;
         at = name.indexOf(typed, at + 1, Qt::CaseInsensitive))
        if (!name.at(at - 1).isLetterOrNumber())
            return Naming::word;
    return Naming::none;
}

Naming namingOf(const PaletteItem &item, const QString &typed) {
    Naming naming = namingBy(typed, item.title);
    for (const QString &name : item.names)
        naming = std::max(naming, namingBy(typed, name));
    if (naming >= Naming::beginning || !item.words.contains(typed, Qt::CaseInsensitive))
        return naming;
    const bool isWhole = item.words.split(QLatin1Char('\n')).contains(typed, Qt::CaseInsensitive);
    // A preset is often known by a part of its id, such as "h100".
    const Naming byWords = !isWhole        ? Naming::within
        : item.kind == PaletteKind::preset ? Naming::beginning
                                           : Naming::symbol;
    return std::max(naming, byWords);
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

std::optional<PaletteModel::Row> PaletteModel::matched(int index) const {
    const PaletteItem &item = m_items.at(index);
    Row row{.item = index, .score = pointsOfKind * static_cast<int>(item.kind)};
    if (m_typed.isEmpty())
        return row;
    Naming naming = namingOf(item, m_typed);
    const std::optional<FuzzyMatch> letters = fuzzyMatch(m_typed, item.title);
    if (letters && (naming != Naming::none || isGood(*letters, m_typed))) {
        row.positions = letters->positions;
        row.score += std::clamp(letters->score, 0, maxPointsOfLetters);
        naming = std::max(naming, Naming::scattered);
    }
    // A glossary term that matches exactly must not rank above a field, figure or formula with a similar name.
    if (item.kind == PaletteKind::definition)
        naming = std::min(naming, Naming::symbol);
    if (naming == Naming::none)
        return std::nullopt;
    row.score += pointsOfNaming * static_cast<int>(naming);
    return row;
}

void PaletteModel::find() {
    beginResetModel();
    QStringList groups;
    QHash<QString, QVector<Row>> found;
    m_matches = 0;
    for (int i = 0; i < m_items.size(); ++i) {
        const std::optional<Row> row = matched(i);
        if (!row)
            continue;
        const QString &group = m_items.at(i).group;
        if (!groups.contains(group))
            groups << group;
        found[group].append(*row);
        ++m_matches;
    }
    for (QVector<Row> &rows : found)
        std::stable_sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) { return a.score > b.score; });
    std::stable_sort(groups.begin(), groups.end(), [&](const QString &a, const QString &b) {
        return found[a].first().score > found[b].first().score;
    });
    m_rows.clear();
    for (const QString &group : groups)
        m_rows += found[group].mid(0, MaxOfGroup);
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
        return QStringList{item.title, item.value, item.detail, item.group}
            .filter(QRegularExpression(QStringLiteral(".")))
            .join(QStringLiteral(", "));
    case GroupRole:
        return item.group;
    case DetailRole:
        return item.detail;
    case ValueRole:
        return item.value;
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
