// SPDX-License-Identifier: GPL-3.0-or-later
#include "glossary/glossary_card.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "figures/figure_sentence.h"
#include "glossary/term_text.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <utility>

namespace meshwright {

namespace {

TextLabel *newLabel(const QString &name, TypeRole type, ColourRole colour, TextWeight weight, QWidget *parent) {
    auto *label = new TextLabel({}, type, colour, weight, parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

/// A JSON pointer as the command line writes it: "parallelism.zero_stage" for "/parallelism/zero_stage".
QString dotted(const QString &pointer) {
    return pointer.mid(1).replace(QLatin1Char('/'), QLatin1Char('.'));
}

} // namespace

GlossaryCard::GlossaryCard(QWidget *parent)
    : QWidget(parent)
    , m_term(newLabel(QStringLiteral("glossaryTerm"), TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, this))
    , m_aliases(
          newLabel(QStringLiteral("glossaryAliases"), TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this))
    , m_definition(newSentence(QStringLiteral("glossaryDefinition")))
    , m_formula(
          newLabel(QStringLiteral("glossaryFormula"), TypeRole::Body, ColourRole::Text, TextWeight::Regular, this))
    , m_source(newLabel(QStringLiteral("glossarySource"), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_fields(newSentence(QStringLiteral("glossaryFields")))
    , m_related(newSentence(QStringLiteral("glossaryRelated")))
    , m_lines(new QGridLayout) {
    setObjectName(QStringLiteral("glossaryCard"));
    showsNoFigures(this, NotFigures::name); // numbers in definitions are not the plan's figures
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_term);
    column->addWidget(m_aliases);
    column->addWidget(m_definition);
    m_lines->setContentsMargins(0, 4, 0, 0);
    m_lines->setHorizontalSpacing(12);
    m_lines->setVerticalSpacing(4);
    m_lines->setColumnStretch(1, 1);
    column->addLayout(m_lines);
    column->addStretch(1);
    addLine(tr("Formula"), m_formula);
    addLine(tr("Source"), m_source);
    addLine(tr("Plan fields"), m_fields);
    addLine(tr("See also"), m_related);
}

FigureSentence *GlossaryCard::newSentence(const QString &name) {
    auto *sentence = new FigureSentence(TypeRole::Body, ColourRole::Text, TextWeight::Regular, this);
    sentence->setObjectName(name);
    sentence->setMinimumWidth(1); // allows the sentence to wrap at any width
    sentence->installEventFilter(this);
    return sentence;
}

void GlossaryCard::addLine(const QString &name, QWidget *content) {
    auto *label = new TextLabel(name, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this);
    const int row = static_cast<int>(m_named.size());
    m_lines->addWidget(label, row, 0, Qt::AlignTop);
    m_lines->addWidget(content, row, 1, Qt::AlignTop);
    m_named.emplace_back(label, content);
}

void GlossaryCard::showLine(QWidget *content, bool shown) {
    content->setVisible(shown);
    for (const auto &[name, named] : m_named)
        if (named == content)
            name->setVisible(shown);
}

void GlossaryCard::showTerm(const GlossaryTerm &term) {
    m_id = glossaryText(term.id);
    QStringList aliases;
    for (const std::string &alias : term.aliases)
        aliases << glossaryText(alias);
    m_term->setText(glossaryText(term.term));
    m_aliases->setText(aliases.join(QStringLiteral(", ")));
    m_aliases->setVisible(!aliases.isEmpty());
    m_definition->setSentence(withTerms(glossaryText(term.definition), {m_id}));
    m_formula->setText(glossaryText(term.formula));
    m_source->setText(glossaryText(term.source));
    std::vector<SentenceText> fields;
    for (const std::string &field : term.fields) {
        const QString pointer = glossaryText(field);
        const QString name = m_fieldName ? m_fieldName(pointer) : QString();
        fields.push_back(said(name.isEmpty() ? dotted(pointer) : name, PlanField(pointer)));
    }
    m_fields->setSentence(joined(fields, QStringLiteral(", ")));
    std::vector<SentenceText> related;
    for (const std::string &id : term.see_also)
        if (const GlossaryTerm *const other = Glossary::standard().find(id))
            related.push_back(said(glossaryText(other->term), TermRef(glossaryText(other->id))));
    m_related->setSentence(joined(related, QStringLiteral(", ")));
    showLine(m_formula, !term.formula.empty());
    showLine(m_source, !term.source.empty());
    showLine(m_fields, !fields.empty());
    showLine(m_related, !related.empty());
    setAccessibleName(glossaryText(term.title()));
    setAccessibleDescription(glossaryText(term.definition));
    updateGeometry();
}

bool GlossaryCard::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != FigureWantedEvent::wanted())
        return QWidget::eventFilter(watched, event);
    // Copied, because a receiver of the signal may change the sentence.
    const FigureTarget target = static_cast<FigureWantedEvent *>(event)->target();
    Q_EMIT targetWanted(target);
    return true;
}

} // namespace meshwright
