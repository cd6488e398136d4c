// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/problem_row.h"

#include "controls/small_marks.h"
#include "figures/figure_label.h"
#include "figures/figure_ref.h"
#include "figures/figure_sentence.h"
#include "glossary/term_text.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int iconColumn = 16 + 10; ///< icon width plus the gap to the text

struct Look {
    QString icon;
    ColourRole colour;
    QString word;
};

Look lookOf(Severity severity) {
    switch (severity) {
    case Severity::error:
        return {QStringLiteral("err"), ColourRole::Bad, ProblemRow::tr("Error")};
    case Severity::warning:
        return {QStringLiteral("warn"), ColourRole::Warn, ProblemRow::tr("Warning")};
    case Severity::hint:
        break;
    }
    return {QStringLiteral("hint"), ColourRole::Accent, ProblemRow::tr("Hint")};
}

} // namespace

ProblemRow::ProblemRow(QWidget *parent)
    : QWidget(parent)
    , m_icon(new IconLabel(QStringLiteral("hint"), ColourRole::Accent, 16, this))
    , m_message(new FigureSentence(TypeRole::Body, ColourRole::Text, TextWeight::Medium, this))
    , m_expected(new FigureSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_textAndFixes(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_fixes(new QBoxLayout(QBoxLayout::LeftToRight)) {
    // If there is too little room, the texts shrink and the gains do not, because texts can wrap.
    for (FigureSentence *sentence : {m_message, m_expected}) {
        sentence->setMinimumWidth(1);
    }
    auto *texts = new QVBoxLayout;
    texts->setSpacing(0);
    texts->addWidget(m_message);
    texts->addWidget(m_expected);
    m_fixes->setSpacing(8);
    m_textAndFixes->setSpacing(8);
    m_textAndFixes->addLayout(texts, 1);
    m_textAndFixes->addLayout(m_fixes);
    m_textAndFixes->setAlignment(m_fixes, Qt::AlignTop | Qt::AlignLeft);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addLayout(m_textAndFixes, 1);
}

void ProblemRow::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    arrange();
}

QSize ProblemRow::minimumSizeHint() const {
    int widest = 0;
    for (std::size_t i = 0; i < m_buttons.size(); ++i)
        if (!m_buttons[i]->isHidden())
            widest = std::max(widest, fixWidth(i));
    return {iconColumn + widest, QWidget::minimumSizeHint().height()};
}

int ProblemRow::fixWidth(std::size_t fix) const {
    return m_buttons[fix]->sizeHint().width() + (m_gains[fix]->isHidden() ? 0 : 2 + m_gains[fix]->sizeHint().width());
}

void ProblemRow::arrange() {
    int fixes = 0;
    for (std::size_t i = 0; i < m_buttons.size(); ++i)
        if (!m_buttons[i]->isHidden())
            fixes += (fixes > 0 ? m_fixes->spacing() : 0) + fixWidth(i);
    m_fixes->setDirection(fixes > width() - iconColumn ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_textAndFixes->setDirection(fixes > width() / 3 ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void ProblemRow::setDiagnostic(const Diagnostic &diagnostic, const QString &field, const FixButton::Changes &changes) {
    if (diagnostic == m_diagnostic && field == m_field)
        return;
    m_diagnostic = diagnostic;
    m_field = field;
    const Look look = lookOf(diagnostic.severity);
    m_icon->setIconName(look.icon);
    m_icon->setColour(look.colour);
    m_icon->setToolTip(look.word);
    const SentenceText message = field.isEmpty() ? capitalised(shownText(diagnostic.message))
                                                 : filled(tr("%1: %2"), field, shownText(diagnostic.message));
    m_message->setSentence(withTerms(message));
    m_expected->setSentence(withTerms(capitalised(shownText(diagnostic.expected))));
    m_expected->setVisible(!diagnostic.expected.empty());
    setAccessibleName(look.word + QStringLiteral(": ") + message.text);
    setFixes(diagnostic.fixes, changes);
}

void ProblemRow::addFix() {
    auto *button = new FixButton(this);
    auto *gain = new FigureLabel(TypeRole::Body, ColourRole::Good, TextWeight::SemiBold, this);
    gain->setObjectName(QStringLiteral("gain%1").arg(m_buttons.size()));
    gain->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto *pair = new QHBoxLayout;
    pair->setSpacing(2);
    pair->addWidget(button);
    pair->addWidget(gain);
    m_fixes->addLayout(pair);
    connect(button, &FixButton::clicked, this, [this, button] { Q_EMIT fixChosen(button->fix()); });
    connect(button, &FixButton::looked, this,
            [this, button](bool at) { Q_EMIT fixConsidered(at ? std::optional(button->fix()) : std::nullopt); });
    m_buttons.push_back(button);
    m_gains.push_back(gain);
}

void ProblemRow::setFixes(const std::vector<Fix> &fixes, const FixButton::Changes &changes) {
    const std::size_t shown = std::min<std::size_t>(fixes.size(), MaxFixes);
    while (m_buttons.size() < shown)
        addFix();
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        m_buttons[i]->setVisible(i < shown);
        m_gains[i]->setVisible(i < shown && !fixes[i].gain.empty());
        if (i >= shown)
            continue;
        const Fix &fix = fixes[i];
        m_buttons[i]->setFix(fix, changes);
        m_gains[i]->setFigure(gainTextOf(fix),
                              fix.figure.empty() ? FigureRef()
                                                 : FigureRef::gainOf(QString::fromStdString(fix.figure),
                                                                     QString::fromStdString(fix.patch)));
    }
    arrange();
}

} // namespace meshwright
