// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/goal_row.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "theme/control_states.h"

#include <QGridLayout>
#include <QPushButton>

namespace meshwright {

namespace {

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

void addCost(SentenceText &words, const QString &title, const QString &before, const QString &after,
             const QString &path, const QString &patch) {
    if (before == after)
        return;
    if (!words.empty())
        words += QStringLiteral("  \u00b7  ");
    words += filled(QStringLiteral("%1 %2 \u2192 %3"), title, said(before, path),
                    said(after, FigureRef::ofChanged(path, patch)));
}

SentenceText costWords(const GoalAnswer &answer, const Proposal &proposal) {
    const GoalFigure figure = answer.goal.figure;
    const GoalDefinition &wanted = definition_of(figure);
    const QString patch = QString::fromStdString(proposal.patch);
    const auto goalText = [figure](double value) { return QString::fromStdString(text_of(value, figure)); };
    SentenceText words;
    addCost(words, textOf(wanted.title), answer.value ? goalText(*answer.value) : QStringLiteral("–"),
            goalText(proposal.value), textOf(wanted.path), patch);
    for (const GoalCost &cost : costs_of(answer, proposal))
        if (cost.path != wanted.path)
            addCost(words, textOf(cost.title), figureText(cost.before, cost.quantity),
                    figureText(cost.after, cost.quantity), textOf(cost.path), patch);
    return words;
}

QString noteWords(const Proposal &proposal) {
    QStringList notes;
    if (proposal.reached && proposal.surely)
        notes << (*proposal.surely
                      ? GoalRow::tr("The goal is reached at both ends of the 80% interval.")
                      : GoalRow::tr("The prediction reaches the goal, but not at both ends of the 80% interval."));
    if (proposal.has_no_price)
        notes << GoalRow::tr("The rental cost does not include the faster link.");
    for (const std::string &outside : proposal.unproven)
        notes << GoalRow::tr("Beyond published results: %1.").arg(QString::fromStdString(outside));
    return notes.join(QLatin1Char(' '));
}

} // namespace

GoalRow::GoalRow(QWidget *parent)
    : QWidget(parent)
    , m_title(new TextLabel({}, TypeRole::Body, ColourRole::Text, TextWeight::Medium, this))
    , m_costs(new FigureSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_notes(new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this))
    , m_apply(new QPushButton(tr("Apply"), this)) {
    m_title->setWordWrap(true);
    m_notes->setWordWrap(true);
    showsNoFigures(m_title, NotFigures::setting);
    showsNoFigures(m_notes, NotFigures::name);
    m_apply->setObjectName(QStringLiteral("applyGoal"));
    setButtonRole(m_apply, ButtonRole::Default);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 4, 0, 4);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(2);
    grid->addWidget(m_title, 0, 0);
    grid->addWidget(m_apply, 0, 1, 2, 1, Qt::AlignTop);
    grid->addWidget(m_costs, 1, 0);
    grid->addWidget(m_notes, 2, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    connect(m_apply, &QPushButton::clicked, this, &GoalRow::applied);
}

void GoalRow::showProposal(const GoalAnswer &answer, const Proposal &proposal, int number) {
    const QString title = QString::fromStdString(proposal.title);
    m_title->setText(number > 0 ? QStringLiteral("%1.  %2").arg(number).arg(title) : tr("Nearest: %1").arg(title));
    m_costs->setSentence(costWords(answer, proposal));
    m_notes->setText(noteWords(proposal));
    m_notes->setVisible(!m_notes->text().isEmpty());
    m_apply->setAccessibleName(tr("Apply: %1").arg(title));
    m_apply->setToolTip(tr("Applies these changes as one undo step"));
}

QString GoalRow::title() const {
    return m_title->text();
}

QString GoalRow::costs() const {
    return m_costs->text();
}

} // namespace meshwright
