// SPDX-License-Identifier: GPL-3.0-or-later
#include "glossary/glossary_model.h"

#include "glossary/term_text.h"
#include "glossary/words.h"

#include <algorithm>
#include <string>
#include <utility>

namespace meshwright {

namespace {

/// How well a term matches, best first.
enum class Match { whole, beginning, word, within, definition, none };

Match matchOf(const std::string &name, const std::string &typed) {
    const std::size_t at = name.find(typed);
    if (at == std::string::npos)
        return Match::none;
    if (at == 0)
        return name.size() == typed.size() ? Match::whole : Match::beginning;
    return begins_word(name, at) ? Match::word : Match::within;
}

Match matchOf(const GlossaryTerm &term, const std::string &typed) {
    Match best = matchOf(folded_name(term.term), typed);
    for (const std::string &alias : term.aliases)
        best = std::min(best, matchOf(folded_name(alias), typed));
    if (best == Match::none && folded_name(term.definition).find(typed) != std::string::npos)
        return Match::definition;
    return best;
}

} // namespace

GlossaryModel::GlossaryModel(const Glossary &glossary, QObject *parent)
    : QAbstractListModel(parent)
    , m_glossary(glossary) {
    setTyped({});
}

void GlossaryModel::setTyped(const QString &typed) {
    beginResetModel();
    const std::string folded = folded_name(typed.simplified().toStdString());
    std::vector<std::pair<Match, const GlossaryTerm *>> found;
    for (const GlossaryTerm &term : m_glossary.terms())
        if (const Match match = matchOf(term, folded); match != Match::none)
            found.emplace_back(folded.empty() ? Match::whole : match, &term);
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    m_rows.clear();
    for (const auto &[match, term] : found)
        m_rows.push_back(term);
    endResetModel();
}

int GlossaryModel::rowOf(const QString &id) const {
    const std::string wanted = id.toStdString();
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const auto *term) { return term->id == wanted; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int GlossaryModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant GlossaryModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const GlossaryTerm &term = termAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return glossaryText(term.term);
    case Qt::AccessibleDescriptionRole:
        return glossaryText(term.first_sentence());
    case IdRole:
        return glossaryText(term.id);
    default:
        return {};
    }
}

} // namespace meshwright
