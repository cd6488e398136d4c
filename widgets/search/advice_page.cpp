// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/advice_page.h"

#include "controls/card.h"
#include "controls/text_label.h"
#include "evaluate/evaluate.h"
#include "evaluate/result.h"
#include "figures/figure_event.h"
#include "figures/figure_label.h"
#include "figures/figure_ref.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "glossary/term_text.h"
#include "input/diagnostic.h"
#include "search/configuration_text.h"
#include "theme/control_states.h"
#include "views/view_mapping.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace meshwright {

namespace {

constexpr int gainWidth = 118;
constexpr int wideFrom = 1560; ///< width in pixels from which the sliders get a column of their own
constexpr double same = 5e-4; ///< smaller relative gains count as no gain

TextLabel *newText(const QString &text, ColourRole colour, QWidget *parent) {
    auto *label = new TextLabel(text, TypeRole::Body, colour, TextWeight::Regular, parent);
    label->setWordWrap(true);
    return label;
}

/// Text such as "12.0% faster", or "short by 3.2 GB" if the attempt does not fit.
QString outcomeText(const Attempt &attempt) {
    return attempt.fits ? gainText(attempt.gain, Objective::time)
                        : AdvicePage::tr("short by %1").arg(figureText(-attempt.headroom_bytes, Quantity::bytes));
}

constexpr QLatin1String ownPrefix("advice.");

FigureRef adviceFigure(const QString &figure) {
    return FigureRef::ofView(ownPrefix + figure, FigureView::search);
}

FigureRef gainPath(const QString &patch) {
    return FigureRef::shareGained(QStringLiteral("step.seconds"), patch);
}

FigureLabel *newOutcome(const QString &text, const FigureRef &figure, ColourRole colour, QWidget *parent) {
    auto *label = new FigureLabel(TypeRole::Body, colour, TextWeight::Medium, parent);
    label->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    label->setFigure(text, figure);
    label->setFixedWidth(gainWidth);
    return label;
}

FigureSentence *newSentence(const SentenceText &text, ColourRole colour, QWidget *parent) {
    auto *sentence = new FigureSentence(TypeRole::Body, colour, TextWeight::Regular, parent);
    sentence->setSentence(text);
    return sentence;
}

/// Links the figures in a decision's sentence: "rule_..." is a threshold of a rule, any other name a figure of the
/// plan.
SentenceText decisionText(const Sentence &sentence) {
    return shownText(sentence, [](const QString &name) {
        return name.startsWith(QLatin1String("rule_")) ? FigureRef::ofView(name, FigureView::search) : FigureRef(name);
    });
}

ColourRole outcomeColour(const Attempt &attempt) {
    if (!attempt.fits)
        return ColourRole::Bad;
    return attempt.gain > same ? ColourRole::Good : ColourRole::Text2;
}

QString sentence(const std::string &text) {
    QString capitalized = QString::fromStdString(text);
    if (!capitalized.isEmpty())
        capitalized[0] = capitalized.at(0).toUpper();
    return capitalized;
}

QString degreesText(const Plan &plan) {
    const Parallelism &p = plan.parallelism;
    QString text = AdvicePage::tr("tensor %1, pipeline %2, data %3").arg(p.tensor).arg(p.pipeline).arg(p.data);
    if (p.context > 1)
        text += AdvicePage::tr(", context %1").arg(p.context);
    if (p.expert > 1)
        text += AdvicePage::tr(", expert %1").arg(p.expert);
    return text + AdvicePage::tr(", ZeRO %1").arg(p.zero_stage);
}

} // namespace

AdvicePage::AdvicePage(const Library &library, QWidget *parent)
    : QWidget(parent)
    , m_library(library)
    , m_scroll(new QScrollArea(this))
    , m_state(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_worker(
          this,
          [&library](const Plan &plan, const std::stop_token &stop) {
              try {
                  return std::make_shared<const TrainingAdvice>(training_advice(plan, library, stop));
              } catch (const InputError &) {
                  return AdvicePointer(); // the search reports invalid constraints, so there is no advice
              }
          },
          [this](const AdvicePointer &advice) { receive(advice); }) {
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 16);
    column->setSpacing(8);
    m_state->setObjectName(QStringLiteral("adviceState"));
    column->addWidget(m_state);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    column->addWidget(m_scroll, 1);
    showFreshness();
}

void AdvicePage::showPlan(const PlanView &view) {
    m_view = view;
    if (isVisible())
        ask();
    showFreshness();
}

void AdvicePage::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    ask();
    showFreshness();
}

void AdvicePage::ask() {
    if (!m_view.valid || m_view.document == nullptr || m_asked == m_view.plan)
        return;
    m_asked = m_view.plan;
    m_worker.ask(m_view.plan);
}

void AdvicePage::receive(const AdvicePointer &advice) {
    if (advice != nullptr && !advice->complete)
        return;
    m_advice = advice;
    rebuild();
    showFreshness();
}

void AdvicePage::showFreshness() {
    const bool current = m_view.valid && m_asked == m_view.plan && !isBusy();
    if (!m_view.valid)
        m_state->setText(m_advice == nullptr ? tr("Advice appears once the plan is valid.")
                                             : tr("The plan is invalid; this is the advice for the last valid plan."));
    else
        m_state->setText(current ? QString() : tr("Searching the configurations that the rules suggest …"));
    m_state->setVisible(!m_state->text().isEmpty());
    if (m_content != nullptr)
        m_content->setEnabled(current);
}

void AdvicePage::rebuild() {
    m_content = new QWidget;
    m_content->setAutoFillBackground(false);
    m_wide = width() >= wideFrom;
    auto *columns = new QHBoxLayout(m_content);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(12);
    auto *rules = new QVBoxLayout;
    columns->addLayout(rules, 3);
    QVBoxLayout *beside = rules;
    if (m_wide)
        columns->addLayout(beside = new QVBoxLayout, 2);
    rules->setSpacing(12);
    if (m_advice != nullptr) {
        rules->addWidget(newComparison());
        int number = 0;
        for (const AdvisorStep &step : m_advice->steps)
            rules->addWidget(newStep(step, ++number));
        beside->addWidget(newSliders());
    } else {
        rules->addWidget(
            newText(tr("The constraints are invalid, so there is nothing to search; see the Configurations page."),
                    ColourRole::Text2, m_content));
    }
    rules->addStretch(1);
    if (beside != rules)
        beside->addStretch(1);
    m_scroll->setWidget(m_content);
}

void AdvicePage::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    if (m_content != nullptr && m_wide != (width() >= wideFrom)) {
        rebuild();
        showFreshness();
    }
}

QWidget *AdvicePage::newComparison() {
    auto *card = new Card(tr("Rules of thumb vs. search"), {}, m_content);
    auto *row = new QHBoxLayout;
    const SentenceText compared = capitalised(shownText(m_advice->comparison, adviceFigure));
    auto *label = newSentence(withTerms(compared + QStringLiteral(".")), ColourRole::Text, card);
    label->setObjectName(QStringLiteral("adviceComparison"));
    row->addWidget(label, 1);
    const double gain = m_advice->best ? 1 - m_advice->best->step_seconds / m_advice->step_seconds : 0;
    const bool better = m_advice->best && (gain > same || !m_advice->fits);
    if (better) {
        const QString patch = QString::fromStdString(patchApplying(m_view, *m_advice->best, m_library));
        row->addWidget(newOutcome(m_advice->fits ? gainText(gain, Objective::time) : tr("fits"),
                                  m_advice->fits ? gainPath(patch) : FigureRef(), ColourRole::Good, card),
                       0, Qt::AlignTop);
        auto *apply = new QPushButton(tr("Use it"), card);
        apply->setObjectName(QStringLiteral("adviceUseBest"));
        setButtonRole(apply, ButtonRole::Primary);
        connect(apply, &QPushButton::clicked, this, [this] { applyEntry(*m_advice->best); });
        row->addWidget(apply, 0, Qt::AlignTop);
    } else if (m_advice->best) {
        // The best configuration can be slower than the plan only if the plan violates a constraint: it has too little
        // headroom, or its software cannot run it.
        const bool outside = gain < -same;
        auto *verdict = new TextLabel(
            outside ? tr("The plan is faster, but violates the constraints") : tr("The plan is already the best"),
            TypeRole::Body, outside ? ColourRole::Text2 : ColourRole::Good, TextWeight::SemiBold, card);
        verdict->setObjectName(QStringLiteral("adviceVerdict"));
        row->addWidget(verdict, 0, Qt::AlignTop);
    }
    card->contentLayout()->addLayout(row);
    return card;
}

std::optional<Derivation> AdvicePage::derivationOf(const QString &figure) const {
    if (m_advice == nullptr || !m_advice->best || !m_advice->best_by_rules || !figure.startsWith(ownPrefix))
        return std::nullopt;
    const QString what = figure.mid(ownPrefix.size());
    const bool isGain = what == QLatin1String("gain");
    const QString path = isGain ? QStringLiteral("step.seconds") : figurePathOf(what);
    const auto of = [&](const SearchEntry &entry, const char *name, const char *title) {
        const Result result = evaluate(entry.plan, Depth::numbers);
        double value = result.step.seconds;
        for (std::size_t i = 0; i < step_term_count; ++i)
            if (what == QString::fromStdString(std::string(step_term_names()[i])))
                value = result.step.terms[i];
        const QString patch = QString::fromStdString(patchApplying(m_view, entry, m_library));
        return reference_to(referenceTo(FigureRef::ofChanged(path, patch)), {name, title, Quantity::seconds}, value);
    };
    Derivation found = of(*m_advice->best, "found", "time with the configuration that the search found");
    Derivation rules = of(*m_advice->best_by_rules, "rules", "time with the best configuration that the rules suggest");
    const char *const source = "full evaluation of both plans";
    const double gain = 1 - found.value / rules.value;
    const double difference = std::abs(found.value - rules.value);
    if (isGain)
        return derived({"gain", "reduction of step time relative to the best configuration that the rules suggest",
                        Quantity::share},
                       gain, "1 - found / rules", source, {std::move(found), std::move(rules)});
    return derived({identifier(what.toStdString()), "difference in this term of the step time", Quantity::seconds},
                   difference, "abs(found - rules)", source, {std::move(found), std::move(rules)});
}

QWidget *AdvicePage::newStep(const AdvisorStep &step, int number) {
    auto *card = new Card(tr("%1  %2").arg(number).arg(QString::fromStdString(step.title)), {}, m_content);
    card->setSubtitle(decisionText(step.finding));
    card->contentLayout()->addWidget(
        newSentence(withTerms(filled(tr("Rule: %1."), capitalised(decisionText(step.rule)))), ColourRole::Text2, card));
    for (const AdvisorOption &way : step.ways)
        card->contentLayout()->addWidget(newSuggestion(way));
    for (const Attempt &attempt : step.attempts)
        card->contentLayout()->addWidget(newAttempt(attempt, sentence(attempt.title)));
    return card;
}

QWidget *AdvicePage::newSuggestion(const AdvisorOption &way) {
    auto *line = new QWidget(m_content);
    auto *row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    auto *title = newText(sentence(way.name), ColourRole::Text, line);
    showsNoFigures(title, NotFigures::name);
    row->addWidget(title, 2);
    if (!way.best) {
        row->addWidget(newText(tr("no such configuration fits"), ColourRole::Text3, line), 3);
        return line;
    }
    const SearchEntry &best = *way.best;
    const QString patch = QString::fromStdString(patchApplying(m_view, best, m_library));
    const QString seconds = figureText(best.step_seconds, Quantity::seconds);
    const QString mfu = shareText(best.mfu);
    row->addWidget(newSentence(filled(tr("%1: %2 per step, MFU %3"), degreesText(best.plan),
                                      said(seconds, FigureRef::ofChanged(QStringLiteral("step.seconds"), patch)),
                                      said(mfu, FigureRef::ofChanged(QStringLiteral("step.mfu"), patch))),
                               ColourRole::Text2, line),
                   3, Qt::AlignVCenter);
    const double gain = 1 - best.step_seconds / m_advice->step_seconds;
    row->addWidget(newOutcome(m_advice->fits ? gainText(gain, Objective::time) : tr("fits"),
                              m_advice->fits ? gainPath(patch) : FigureRef(),
                              !m_advice->fits || gain > same ? ColourRole::Good : ColourRole::Text2, line));
    auto *apply = new QPushButton(tr("Use"), line);
    apply->setAccessibleName(tr("Use %1").arg(QString::fromStdString(way.name)));
    apply->setEnabled(!m_advice->fits || std::abs(gain) > 1e-9);
    connect(apply, &QPushButton::clicked, this, [this, best] { applyEntry(best); });
    row->addWidget(apply);
    return line;
}

QWidget *AdvicePage::newAttempt(const Attempt &attempt, const QString &name) {
    auto *line = new QWidget(m_content);
    auto *row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    auto *title = newText(name, ColourRole::Text, line);
    showsNoFigures(title, NotFigures::setting);
    row->addWidget(title, 2);
    const QString patch = QString::fromStdString(attempt.patch);
    const QString seconds = figureText(attempt.step_seconds, Quantity::seconds);
    row->addWidget(newSentence(filled(tr("%1 per step"),
                                      said(seconds, FigureRef::ofChanged(QStringLiteral("step.seconds"), patch))),
                               ColourRole::Text2, line),
                   3, Qt::AlignVCenter);
    row->addWidget(newOutcome(outcomeText(attempt),
                              attempt.fits ? gainPath(patch)
                                           : FigureRef::ofChanged(QStringLiteral("verdict.headroom_bytes"), patch),
                              outcomeColour(attempt), line));
    auto *apply = new QPushButton(tr("Use"), line);
    apply->setAccessibleName(tr("Use %1").arg(name));
    connect(apply, &QPushButton::clicked, this, [this, attempt, name] {
        Q_EMIT edited(
            {.field = {}, .subject = name, .from = {}, .to = {}, .patch = attempt.patch, .pace = EditPace::Settled});
    });
    row->addWidget(apply);
    return line;
}

QWidget *AdvicePage::newSliders() {
    auto *card = new Card(tr("Each slider moved one stop up or down"), tr("everything else as in the plan"), m_content);
    card->setObjectName(QStringLiteral("sliderSteps"));
    for (const SliderStep &slider : m_advice->sliders) {
        QString name = QString::fromStdString(slider.field);
        name = name == QStringLiteral("micro_sequences") ? tr("Microbatch")
            : name == QStringLiteral("zero_stage")       ? tr("ZeRO stage")
                                                         : name.left(1).toUpper() + name.mid(1);
        card->contentLayout()->addWidget(
            newAttempt(slider.attempt, tr("%1 %2 → %3").arg(name).arg(slider.from).arg(slider.to)));
    }
    if (m_advice->sliders.empty())
        card->contentLayout()->addWidget(newText(tr("No slider can be moved."), ColourRole::Text2, card));
    return card;
}

void AdvicePage::applyEntry(const SearchEntry &entry) {
    const QString changes = shortDifferencesText(layoutDifferences(m_view.plan, entry.plan));
    Q_EMIT edited({.field = {},
                   .subject = tr("Configuration: %1").arg(changes),
                   .from = {},
                   .to = {},
                   .patch = patchApplying(m_view, entry, m_library),
                   .pace = EditPace::Settled});
}

} // namespace meshwright
