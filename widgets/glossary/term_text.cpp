// SPDX-License-Identifier: GPL-3.0-or-later
#include "glossary/term_text.h"

#include "controls/tip_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace meshwright {

namespace {

bool overlaps(const SentenceText::Figure &figure, qsizetype begin, qsizetype length) {
    return figure.begin < begin + length && begin < figure.begin + figure.length;
}

} // namespace

SentenceText withTerms(const SentenceText &sentence, const QStringList &without) {
    SentenceText marked = sentence;
    const std::string utf8 = sentence.text.toStdString();
    QStringList seen = without;
    for (const SentenceText::Figure &figure : sentence.figures)
        if (const auto *const term = std::get_if<TermRef>(&figure.target))
            seen.append(term->id);
    std::size_t bytes = 0;
    qsizetype at = 0; // the position `bytes`, in UTF-16 code units
    for (const TermSpan &span : Glossary::standard().in_text(utf8)) {
        at += QString::fromUtf8(utf8.data() + bytes, static_cast<qsizetype>(span.begin - bytes)).size();
        bytes = span.begin;
        const qsizetype length = QString::fromUtf8(utf8.data() + bytes, static_cast<qsizetype>(span.length)).size();
        const QString id = glossaryText(span.term->id);
        const bool isTaken =
            std::any_of(sentence.figures.begin(), sentence.figures.end(),
                        [&](const SentenceText::Figure &figure) { return overlaps(figure, at, length); });
        if (isTaken || seen.contains(id))
            continue;
        seen.append(id);
        marked.figures.push_back({at, length, TermRef(id)});
    }
    std::sort(marked.figures.begin(), marked.figures.end(),
              [](const SentenceText::Figure &a, const SentenceText::Figure &b) { return a.begin < b.begin; });
    return marked;
}

QString fieldToolTip(const QString &pointer) {
    const std::string field = pointer.toStdString();
    const GlossaryTerm *const term = Glossary::standard().of_field(field);
    if (term == nullptr || std::find(term->fields.begin(), term->fields.end(), field) == term->fields.end())
        return {};
    return tipText(
        QCoreApplication::translate("FieldToolTip", "%1 F1 shows more.").arg(glossaryText(term->first_sentence())));
}

} // namespace meshwright
