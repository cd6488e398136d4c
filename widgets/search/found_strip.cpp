// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/found_strip.h"

#include "controls/small_marks.h"
#include "controls/text_label.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "search/configuration_selection.h"
#include "search/found_text.h"
#include "theme/control_states.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <initializer_list>

namespace meshwright {

namespace {

constexpr int roomForRuns = 760; ///< width in pixels below which the run times are hidden, to make room for the changes

ColourRole colourOf(Tone tone) {
    return tone == Tone::Good ? ColourRole::Good
        : tone == Tone::Bad   ? ColourRole::Bad
        : tone == Tone::Warn  ? ColourRole::Warn
                              : ColourRole::Text2;
}

} // namespace

FoundStrip::FoundStrip(ConfigurationSelection *selection, QWidget *parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_icon(new IconLabel(QStringLiteral("bolt"), ColourRole::Text2, 16, this))
    , m_lead(new TextLabel({}, TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this))
    , m_figure(newSentence(TypeRole::Emphasis, ColourRole::Good, TextWeight::SemiBold))
    , m_words(new TextLabel({}, TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this))
    , m_changes(newSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular))
    , m_runs(newSentence(TypeRole::Body, ColourRole::Text, TextWeight::Medium))
    , m_apply(new QPushButton(tr("Apply"), this))
    , m_why(new QPushButton(tr("Why"), this)) {
    setObjectName(QStringLiteral("foundStrip"));
    setAccessibleName(tr("Best configuration found"));
    m_figure->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_runs->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_changes->setElided(true);
    m_changes->setObjectName(QStringLiteral("foundStripChanges"));
    m_apply->setObjectName(QStringLiteral("applyFound"));
    m_why->setObjectName(QStringLiteral("whyFound"));
    m_why->setToolTip(tr("Opens the search, which lists every change and compares this configuration with all others"));
    setButtonRole(m_apply, ButtonRole::Primary);
    setButtonRole(m_why, ButtonRole::Flat);
    placeParts();
    keepHeight();
    connect(m_apply, &QPushButton::clicked, this, [this] { Q_EMIT applyWanted(m_selection->offered()); });
    connect(m_why, &QPushButton::clicked, this, &FoundStrip::whyWanted);
    connect(selection, &ConfigurationSelection::answerChanged, this, &FoundStrip::showFound);
    showFound();
}

void FoundStrip::placeParts() {
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(m_icon);
    row->addWidget(m_lead, 0, Qt::AlignVCenter);
    row->addWidget(m_figure, 0, Qt::AlignVCenter);
    row->addWidget(m_words, 0, Qt::AlignVCenter);
    row->addWidget(m_changes, 1, Qt::AlignVCenter);
    row->addWidget(m_runs, 0, Qt::AlignVCenter);
    row->addWidget(m_apply);
    row->addWidget(m_why);
}

FigureSentence *FoundStrip::newSentence(TypeRole type, ColourRole colour, TextWeight weight) {
    auto *sentence = new FigureSentence(type, colour, weight, this);
    return sentence;
}

/// Fixes the height so that buttons fit, whether or not they are shown.
void FoundStrip::keepHeight() {
    const QMargins margins = layout()->contentsMargins();
    setFixedHeight(std::max(m_apply->sizeHint().height(), m_lead->sizeHint().height()) + margins.top()
                   + margins.bottom());
}

void FoundStrip::showPlan(const PlanView &view) {
    m_valid = view.valid;
    m_plan = view.plan;
    showFound();
}

QString FoundStrip::text() const {
    return QStringList{m_lead->text(), m_figure->text(), m_words->text()}.join(QLatin1Char(' ')).simplified();
}

void FoundStrip::showFound() {
    const SearchAnswer *answer = m_selection->answer();
    if (!m_valid) {
        sayOnly(tr("No search while the plan has errors"));
        return;
    }
    if (answer == nullptr || !isOfSameRun(answer->question.plan, m_plan)) {
        sayOnly(tr("Searching for a better configuration …"));
        return;
    }
    if (!(answer->question.plan == m_plan)) {
        if (!m_said)
            sayOnly(tr("Searching for a better configuration …"));
        setStale(m_said);
        return;
    }
    if (!answer->problem.empty()) {
        sayOnly(tr("This plan cannot be searched"));
        m_changes->setSentence(QString::fromStdString(answer->problem));
        return;
    }
    const LayoutRow *best = answer->offeredRow();
    FoundText found =
        best != nullptr && answer->fits ? foundText(*m_selection, *best, true) : nothingFitsText(*m_selection);
    if (!answer->wider.empty())
        found.changes = widerText(*m_selection);
    say(found);
    m_said = true;
    setStale(false);
}

void FoundStrip::say(const FoundText &found) {
    m_tone = found.tone;
    m_icon->setColour(colourOf(m_tone));
    m_lead->setText(found.lead);
    m_lead->setVisible(!found.lead.isEmpty());
    m_figure->setColour(colourOf(m_tone));
    m_figure->setSentence(found.figure);
    m_figure->setVisible(!found.figure.empty());
    m_words->setText(found.words);
    m_words->setVisible(!found.words.isEmpty());
    m_words->setColour(m_tone == Tone::Neutral ? ColourRole::Text : colourOf(m_tone));
    const SentenceText caution = found.caution.isEmpty() ? QString() : tr("Cannot be run: %1").arg(found.caution);
    // The changes come first, because the end of a line that is too long is cut.
    m_changes->setSentence(
        joined({found.changes, caution, found.aside, found.merit, found.plan}, QStringLiteral(" · ")));
    m_apply->setVisible(found.applies);
    m_apply->setToolTip(
        tr("Applies these changes as one edit that can be undone:\n%1").arg(found.each.join(QLatin1Char('\n'))));
    m_why->show();
    showRuns(found);
}

/// Shows a muted line without buttons, because there is no answer.
void FoundStrip::sayOnly(const QString &words) {
    say({.words = words});
    m_words->setColour(ColourRole::Text2);
    m_why->hide();
    m_said = false;
    setStale(false);
}

void FoundStrip::showRuns(const FoundText &found) {
    const SearchAnswer *answer = m_selection->answer();
    const LayoutRow *best = answer != nullptr ? answer->offeredRow() : nullptr;
    m_runs->setVisible(width() >= roomForRuns);
    if (!found.applies || best == nullptr || !found.lead.isEmpty()) {
        m_runs->setSentence({});
        return;
    }
    const QString before = figureText(answer->present->run.seconds, Quantity::seconds);
    const QString after = figureText(best->entry.run_seconds, Quantity::seconds);
    m_runs->setSentence(filled(tr("%1 → %2"), said(before, "run.seconds"),
                               said(after, m_selection->pathOf(*best, QStringLiteral("run.seconds")))));
}

void FoundStrip::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_runs->setVisible(width() >= roomForRuns);
}

void FoundStrip::setStale(bool stale) {
    m_stale = stale;
    const std::initializer_list<QWidget *> parts{m_lead, m_figure, m_words, m_changes, m_runs, m_apply};
    for (QWidget *part : parts)
        part->setEnabled(!stale);
    setAccessibleDescription(stale ? tr("Result for an earlier plan; search in progress") : QString());
    update();
}

void FoundStrip::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if ((event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) && layout() != nullptr)
        keepHeight();
}

void FoundStrip::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Card),
                      Theme::of(this).softFill(m_stale ? Tone::Neutral : m_tone));
}

} // namespace meshwright
