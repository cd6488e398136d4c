// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search_heading.h"

#include "controls/pill.h"
#include "controls/segmented.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "figures/figure_label.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "glossary/term_text.h"
#include "search/configuration_selection.h"
#include "search/configuration_text.h"
#include "search/found_text.h"
#include "search/funnel_bar.h"
#include "theme/control_states.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QResizeEvent>

namespace meshwright {

namespace {

constexpr int widerInRow = 2; ///< buttons per row that fit in the narrowest window
constexpr int oneRow = 1500; ///< width in pixels from which result, funnel and objective fit in one row

QString objectiveHelp(Objective objective) {
    switch (objective) {
    case Objective::time:
        return SearchHeading::tr("Minimizes run time; with a fixed batch size, this means minimizing step time");
    case Objective::cost:
        return SearchHeading::tr("Minimizes the rental cost of the whole run");
    case Objective::accelerators:
        return SearchHeading::tr(
            "Minimizes the number of accelerators on which the plan fits and meets its deadline, if it has one");
    case Objective::tokens_per_dollar:
        return SearchHeading::tr("Maximizes tokens per dollar of rental cost");
    case Objective::energy:
        break;
    }
    return SearchHeading::tr("Minimizes the energy of the whole run");
}

} // namespace

SearchHeading::SearchHeading(ConfigurationSelection *selection, QWidget *parent)
    : Card(parent)
    , m_selection(selection)
    , m_parts(new QGridLayout)
    , m_funnel(new FunnelBar(this)) {
    setObjectName(QStringLiteral("searchHeading"));
    setAccessibleName(tr("Search result"));
    m_parts->setHorizontalSpacing(32);
    m_parts->setVerticalSpacing(12);
    m_found = newFound();
    m_chosenObjective = newObjective();
    placeParts();
    contentLayout()->addLayout(m_parts);
    connect(selection, &ConfigurationSelection::answerChanged, this, &SearchHeading::showAnswer);
    connect(selection, &ConfigurationSelection::chosenChanged, this, &SearchHeading::showAnswer);
}

FigureSentence *SearchHeading::newLine(TypeRole type, ColourRole colour, TextWeight weight, QWidget *parent) {
    auto *line = new FigureSentence(type, colour, weight, parent);
    return line;
}

/// Puts all parts in one row if they fit, else the funnel and the objective below the result.
void SearchHeading::placeParts() {
    const bool wide = width() >= oneRow;
    for (QWidget *part : {m_found, static_cast<QWidget *>(m_funnel), m_chosenObjective})
        m_parts->removeWidget(part);
    m_parts->addWidget(m_found, 0, 0, 1, wide ? 1 : 2);
    m_parts->addWidget(m_funnel, wide ? 0 : 1, wide ? 1 : 0, Qt::AlignTop);
    m_parts->addWidget(m_chosenObjective, wide ? 0 : 1, wide ? 2 : 1);
    m_parts->setColumnStretch(0, wide ? 5 : 1);
    m_parts->setColumnStretch(1, wide ? 4 : 0);
}

QWidget *SearchHeading::newFound() {
    auto *found = new QWidget(this);
    auto *column = new QVBoxLayout(found);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    m_lead = new TextLabel({}, TypeRole::Emphasis, ColourRole::Text, TextWeight::Medium, found);
    m_figure = newLine(TypeRole::Figure, ColourRole::Good, TextWeight::SemiBold, found);
    m_figure->setObjectName(QStringLiteral("foundGain"));
    m_figure->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_words = new TextLabel({}, TypeRole::Emphasis, ColourRole::Text, TextWeight::Medium, found);
    m_words->setElided(true);
    m_note = new Pill({}, Tone::Warn, found);
    m_note->setIconName(QStringLiteral("warn"));
    m_note->hide();
    m_apply = new QPushButton(tr("Apply"), found);
    m_apply->setObjectName(QStringLiteral("applyLayout"));
    m_apply->setToolTip(tr("Applies all changes below to the plan, as one edit that can be undone"));
    setButtonRole(m_apply, ButtonRole::Primary);
    m_back = new QPushButton(tr("Back to the best"), found);
    m_back->setObjectName(QStringLiteral("backToBest"));
    line->addWidget(m_lead, 0, Qt::AlignVCenter);
    line->addWidget(m_figure, 0, Qt::AlignVCenter);
    line->addWidget(m_words, 100, Qt::AlignVCenter);
    line->addStretch(1); // takes the spare width, so that no other widget grows if `m_words` is hidden
    line->addWidget(m_note);
    line->addWidget(m_back);
    line->addWidget(m_apply);
    column->addLayout(line);
    m_caution = newLine(TypeRole::Body, ColourRole::Warn, TextWeight::Medium, found);
    m_caution->setObjectName(QStringLiteral("foundCaution"));
    m_changes = newLine(TypeRole::Body, ColourRole::Text, TextWeight::Regular, found);
    m_changes->setObjectName(QStringLiteral("foundChanges"));
    m_why = newLine(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, found);
    m_why->setObjectName(QStringLiteral("foundWhy"));
    m_plan = newLine(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, found);
    m_plan->setObjectName(QStringLiteral("foundPlan"));
    m_wider = new QWidget(found);
    m_widerRows = new QGridLayout(m_wider);
    m_widerRows->setContentsMargins(0, 2, 0, 0);
    m_widerRows->setSpacing(8);
    m_widerRows->setColumnStretch(2 * widerInRow, 1);
    column->addWidget(m_caution);
    column->addWidget(m_changes);
    column->addWidget(m_why);
    column->addWidget(m_plan);
    column->addWidget(m_wider);
    connect(m_apply, &QPushButton::clicked, this, [this] {
        Q_EMIT applyWanted(m_selection->chosen() >= 0 ? m_selection->chosen() : m_selection->offered());
    });
    connect(m_back, &QPushButton::clicked, this, [this] { m_selection->choose(-1); });
    return found;
}

QWidget *SearchHeading::newObjective() {
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(new TextLabel(tr("Objective"), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, box));
    m_objective = new Segmented(box);
    m_objective->setObjectName(QStringLiteral("objective"));
    m_objective->setAccessibleName(tr("Objective"));
    for (std::size_t i = 0; i < objective_names().size(); ++i)
        m_objective->addSegment(objectiveText(static_cast<Objective>(i)), objectiveHelp(static_cast<Objective>(i)));
    connect(m_objective, &Segmented::chosen, this, [this] { Q_EMIT objectiveChosen(objective()); });
    column->addWidget(m_objective);
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    m_progress = newLine(TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, box);
    m_progress->setObjectName(QStringLiteral("searchProgress"));
    showsNoFigures(m_progress, NotFigures::statistic);
    m_cancel = new QPushButton(tr("Stop"), box);
    m_cancel->setObjectName(QStringLiteral("stopSearch"));
    m_cancel->setToolTip(tr("Stops the search and keeps the best result so far"));
    QSizePolicy kept = m_cancel->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    m_cancel->setSizePolicy(kept);
    m_cancel->hide();
    connect(m_cancel, &QPushButton::clicked, this, &SearchHeading::cancelWanted);
    line->addWidget(m_progress, 1);
    line->addWidget(m_cancel);
    column->addLayout(line);
    column->addStretch(1);
    return box;
}

Objective SearchHeading::objective() const {
    return static_cast<Objective>(m_objective->currentIndex());
}

QString SearchHeading::headline() const {
    return QStringList{m_lead->text(), m_figure->text(), m_words->text()}.join(QLatin1Char(' ')).simplified();
}

QString SearchHeading::changes() const {
    return m_changes->text();
}

void SearchHeading::say(const FoundText &found) {
    m_lead->setText(found.lead);
    m_lead->setVisible(!found.lead.isEmpty());
    m_figure->setSentence(found.figure);
    m_figure->setVisible(!found.figure.empty());
    m_figure->setColour(found.tone == Tone::Good      ? ColourRole::Good
                            : found.tone == Tone::Bad ? ColourRole::Bad
                                                      : ColourRole::Text);
    m_caution->setSentence(found.caution.isEmpty() ? QString() : withTerms(tr("Cannot be run: %1").arg(found.caution)));
    m_caution->setVisible(!found.caution.isEmpty());
    m_words->setText(found.words);
    m_words->setVisible(!found.words.isEmpty());
    m_changes->setSentence(found.changes);
    SentenceText reasons = found.why;
    if (!found.aside.empty() && !reasons.empty())
        reasons.text[0] = reasons.text[0].toLower();
    const SentenceText why = joined({found.aside, reasons}, QStringLiteral(" · "));
    m_why->setSentence(why);
    m_why->setVisible(!why.empty());
    const SentenceText plan = joined({found.merit, found.plan}, QStringLiteral(" · "));
    m_plan->setSentence(withTerms(plan));
    m_plan->setVisible(!plan.empty());
    m_apply->setVisible(found.applies);
}

void SearchHeading::setStale(bool stale, bool invalid) {
    m_note->setText(invalid ? tr("stale: last valid plan") : tr("stale: searching"));
    m_note->setVisible(stale && m_selection->answer() != nullptr);
    m_apply->setEnabled(!stale);
    m_funnel->setEnabled(!stale);
}

QString SearchHeading::endText(SearchEnd end) {
    switch (end) {
    case SearchEnd::whole:
        break;
    case SearchEnd::stopped:
        return tr("Stopped: best so far");
    case SearchEnd::time_limit:
        return tr("Incomplete: time limit reached; best result so far");
    case SearchEnd::size_limit:
        return tr("Incomplete: search space too large; fix some degrees or search fewer options");
    }
    return tr("Search complete");
}

void SearchHeading::showState(const SearchState &state) {
    m_state = state;
    const SearchAnswer *answer = m_selection->answer();
    m_cancel->setVisible(state.running);
    if (state.running) {
        QString text = tr("Searching, %1").arg(shareText(state.share));
        if (state.bestStepSeconds > 0)
            text += tr(" · best so far %1").arg(figureText(state.bestStepSeconds, Quantity::seconds));
        m_progress->setSentence(text);
    } else if (answer != nullptr && answer->problem.empty()) {
        m_progress->setSentence(endText(answer->found.end));
    } else {
        m_progress->setSentence({});
    }
    if (answer == nullptr)
        showAnswer();
}

void SearchHeading::showAnswer() {
    const SearchAnswer *answer = m_selection->answer();
    m_back->hide();
    showWider();
    if (answer == nullptr) {
        say({.words = m_state.running ? tr("Searching …") : tr("No search yet")});
        m_funnel->clear();
        return;
    }
    if (!answer->problem.empty()) {
        say({.words = tr("This plan cannot be searched"),
             .tone = Tone::Bad,
             .changes = QString::fromStdString(answer->problem),
             .why = QString::fromStdString(answer->expected)});
        m_funnel->clear();
        return;
    }
    m_funnel->setSearch(answer->found, answer->stopped);
    const int chosen = m_selection->chosen();
    if (chosen >= 0) {
        say(foundText(*m_selection, m_selection->rows()[static_cast<std::size_t>(chosen)], false));
        m_back->setVisible(answer->bestRow() != nullptr);
    } else if (answer->offeredRow() != nullptr && answer->fits) {
        say(foundText(*m_selection, *answer->offeredRow(), true));
    } else {
        say(nothingFitsText(*m_selection));
    }
}

void SearchHeading::showWider() {
    while (QLayoutItem *item = m_widerRows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const SearchAnswer *answer = m_selection->answer();
    const bool any = answer != nullptr && !answer->wider.empty() && m_selection->chosen() < 0;
    m_wider->setVisible(any);
    if (!any)
        return;
    m_widerRows->addWidget(
        new TextLabel(tr("Also search:"), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, m_wider), 0, 0, 1,
        -1);
    int place = 0;
    for (const WiderSearch &wider : answer->wider) {
        auto *button = new QPushButton(searchOptionText(wider.option), m_wider);
        auto *step = new FigureLabel(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, m_wider);
        step->setFigure(figureText(wider.best.step_seconds, Quantity::seconds),
                        m_selection->pathOf({.entry = wider.best}, ColumnId::step));
        step->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        button->setObjectName(QStringLiteral("searchAlso"));
        button->setToolTip(tr("Best configuration that fits: %1")
                               .arg(differencesText(layoutDifferences(answer->question.plan, wider.best.plan))));
        connect(button, &QPushButton::clicked, this, [this, option = wider.option] { Q_EMIT widerWanted(option); });
        const int row = 1 + place / widerInRow;
        const int column = 2 * (place % widerInRow);
        m_widerRows->addWidget(button, row, column);
        m_widerRows->addWidget(step, row, column + 1);
        ++place;
    }
}

void SearchHeading::resizeEvent(QResizeEvent *event) {
    Card::resizeEvent(event);
    if ((event->oldSize().width() >= oneRow) != (width() >= oneRow))
        placeParts();
}

} // namespace meshwright
