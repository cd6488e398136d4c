// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_side.h"

#include "controls/card.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "glossary/glossary.h"
#include "lessons/lesson_text.h"
#include "lessons/question_panel.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <set>

namespace meshwright {

namespace {

constexpr std::size_t mostTerms = 5;

QString asText(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace

LessonSide::LessonSide(QWidget *parent)
    : QWidget(parent)
    , m_hintCard(new Card(tr("Hints"), {}, this))
    , m_hintRows(new QWidget(m_hintCard))
    , m_termCard(new Card(tr("Terms on this page"), {}, this))
    , m_terms(new LessonText(m_termCard))
    , m_noteCard(new Card(tr("Speaker notes"), {}, this))
    , m_notes(new LessonText(m_noteCard)) {
    setObjectName(QStringLiteral("lessonSide"));
    constexpr qreal smaller = 12.0 / 14;
    m_terms->setScale(smaller);
    m_notes->setScale(smaller);
    showsNoFigures(this, NotFigures::setting);
    auto *column = new QVBoxLayout(this);
    column->setSpacing(12);
    auto *rows = new QVBoxLayout(m_hintRows);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(6);
    m_hintCard->contentLayout()->addWidget(m_hintRows);
    m_termCard->contentLayout()->addWidget(m_terms);
    m_noteCard->contentLayout()->addWidget(m_notes);
    for (Card *card : {m_hintCard, m_termCard, m_noteCard})
        column->addWidget(card);
    column->addStretch(1);
    setBesidePage(true);
}

void LessonSide::setBesidePage(bool beside) {
    layout()->setContentsMargins(beside ? QMargins(0, 16, 16, 16) : QMargins());
}

void LessonSide::showStep(const LessonStep &step, const QuestionPanel &panel) {
    m_hints.clear();
    m_parts.clear();
    for (const LessonHint &hint : step.hints) {
        m_hints.append(asText(panel.question() ? filled_in(hint.text, *panel.question()) : hint.text));
        m_parts.push_back(hint.part);
    }
    m_shown = 0;
    m_hintCard->setVisible(!m_hints.isEmpty());
    showHints();
    showTerms(step);
    m_noteCard->setVisible(!step.notes.empty());
    m_notes->setText(asText(step.notes));
}

void LessonSide::showHints() {
    auto *rows = static_cast<QVBoxLayout *>(m_hintRows->layout());
    const bool hadFocus = m_hintRows->isAncestorOf(m_hintRows->window()->focusWidget());
    while (QLayoutItem *item = rows->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_hintCard->setSubtitle(tr("%1 of %2 shown").arg(m_shown).arg(m_hints.size()));
    for (int i = 0; i < m_shown; ++i) {
        auto *text = new TextLabel(tr("%1. %2").arg(i + 1).arg(m_hints[i]), TypeRole::Body, ColourRole::Text,
                                   TextWeight::Regular, m_hintRows);
        text->setWordWrap(true);
        rows->addWidget(text);
    }
    if (m_shown >= m_hints.size())
        return;
    auto *next = new QPushButton(tr("Show hint %1").arg(m_shown + 1), m_hintRows);
    next->setObjectName(QStringLiteral("lessonHint"));
    connect(next, &QPushButton::clicked, this, [this] {
        const std::string part = m_parts[static_cast<std::size_t>(m_shown++)];
        showHints();
        if (!part.empty())
            Q_EMIT partMarked(part);
    });
    rows->addWidget(next);
    setTabOrder(m_terms->previousInFocusChain(), next);
    if (hadFocus)
        next->setFocus();
}

void LessonSide::showTerms(const LessonStep &step) {
    const std::string text = step.title + ". " + step.text + " " + step.question;
    std::set<const GlossaryTerm *> seen;
    QString lines;
    for (const TermSpan &span : Glossary::standard().in_text(text)) {
        if (seen.size() >= mostTerms || !seen.insert(span.term).second)
            continue;
        lines += QStringLiteral("[%1](term:%2): %3\n\n")
                     .arg(asText(span.term->term), asText(span.term->id), asText(span.term->first_sentence()));
    }
    m_termCard->setVisible(!seen.empty());
    m_terms->setText(lines);
}

} // namespace meshwright
