// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/found_strip.h"

#include "controls/figure_sentence.h"
#include "controls/small_marks.h"
#include "controls/text_label.h"
#include "panels/figure_text.h"
#include "search/found_text.h"
#include "search/layout_selection.h"
#include "theme/control_states.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

#include <utility>

namespace meshwright {

namespace {

ColourRole colourOf(Tone tone) {
    return tone == Tone::Good ? ColourRole::Good : tone == Tone::Bad ? ColourRole::Bad : ColourRole::Text2;
}

} // namespace

FoundStrip::FoundStrip(LayoutSelection *selection, QWidget *parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_icon(new IconLabel(QStringLiteral("bolt"), ColourRole::Text2, 16, this))
    , m_figure(newSentence(TypeRole::Emphasis, ColourRole::Good, TextWeight::SemiBold))
    , m_words(new TextLabel({}, TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this))
    , m_changes(newSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular))
    , m_runs(newSentence(TypeRole::Body, ColourRole::Text, TextWeight::Medium))
    , m_apply(new QPushButton(tr("Apply"), this))
    , m_why(new QPushButton(tr("Why"), this)) {
    setObjectName(QStringLiteral("foundStrip"));
    setAccessibleName(tr("The best layout found"));
    m_figure->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_runs->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_changes->setElided(true);
    m_changes->setObjectName(QStringLiteral("foundStripChanges"));
    m_apply->setObjectName(QStringLiteral("applyFound"));
    m_apply->setToolTip(tr("Makes this layout the plan's, as one step that can be undone"));
    m_why->setObjectName(QStringLiteral("whyFound"));
    m_why->setToolTip(tr("Shows this layout beside all others"));
    setButtonRole(m_apply, ButtonRole::Primary);
    setButtonRole(m_why, ButtonRole::Flat);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(m_icon);
    row->addWidget(m_figure, 0, Qt::AlignVCenter);
    row->addWidget(m_words, 0, Qt::AlignVCenter);
    row->addWidget(m_changes, 1, Qt::AlignVCenter);
    row->addWidget(m_runs, 0, Qt::AlignVCenter);
    row->addWidget(m_apply);
    row->addWidget(m_why);
    connect(m_apply, &QPushButton::clicked, this, [this] { Q_EMIT applyWanted(0); });
    connect(m_why, &QPushButton::clicked, this, &FoundStrip::whyWanted);
    connect(selection, &LayoutSelection::answerChanged, this, &FoundStrip::showFound);
    hide();
}

FigureSentence *FoundStrip::newSentence(TypeRole type, ColourRole colour, TextWeight weight) {
    auto *sentence = new FigureSentence(type, colour, weight, this);
    connect(sentence, &FigureSentence::figureWanted, this, &FoundStrip::figureWanted);
    return sentence;
}

void FoundStrip::showPlan(const PlanView &view) {
    m_valid = view.valid;
    m_plan = view.plan;
    showFound();
}

void FoundStrip::showState(const SearchState &state) {
    if (std::exchange(m_running, state.running) != state.running)
        showFound();
}

QString FoundStrip::text() const {
    return isHidden() ? QString() : QString(m_figure->text() + QLatin1Char(' ') + m_words->text()).trimmed();
}

void FoundStrip::showFound() {
    const SearchAnswer *answer = m_selection->answer();
    if (!m_valid || answer == nullptr || !answer->problem.empty() || !(answer->question.plan == m_plan)) {
        showNothingYet();
        return;
    }
    const LayoutRow *best = answer->bestRow();
    FoundText found =
        best != nullptr && answer->fits ? foundText(*m_selection, *best, true) : nothingFitsText(*m_selection);
    if (!answer->wider.empty())
        found.changes = widerText(*m_selection);
    m_tone = found.tone;
    m_icon->setColour(colourOf(m_tone));
    m_figure->setColour(colourOf(m_tone));
    m_figure->setSentence(found.figure.text, found.figure.figures);
    m_figure->setVisible(!found.figure.text.isEmpty());
    m_words->setText(found.words);
    m_words->setColour(m_tone == Tone::Neutral ? ColourRole::Text : colourOf(m_tone));
    m_changes->setSentence(found.changes.text, found.changes.figures);
    m_apply->setVisible(found.applies);
    m_why->show();
    showRuns(found.applies);
    update();
    show();
}

void FoundStrip::showNothingYet() {
    m_tone = Tone::Neutral;
    m_icon->setColour(ColourRole::Text2);
    m_figure->setSentence({});
    m_figure->hide();
    m_words->setText(tr("Looking for a better layout …"));
    m_words->setColour(ColourRole::Text2);
    m_changes->setSentence({});
    m_runs->setSentence({});
    m_apply->hide();
    m_why->hide();
    update();
    setVisible(m_valid && m_running);
}

void FoundStrip::showRuns(bool applies) {
    const SearchAnswer &answer = *m_selection->answer();
    const LayoutRow *best = answer.bestRow();
    if (!applies || best == nullptr) {
        m_runs->setSentence({});
        return;
    }
    const QString before = figureText(answer.present->run.seconds, Quantity::seconds);
    const QString after = figureText(best->entry.run_seconds, Quantity::seconds);
    m_runs->setSentence(
        tr("%1 → %2").arg(before, after),
        {{before.toStdString(), "run.seconds"},
         {after.toStdString(), m_selection->pathOf(*best, QStringLiteral("run.seconds")).toStdString()}});
}

void FoundStrip::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Card), Theme::of(this).softFill(m_tone));
}

} // namespace meshwright
