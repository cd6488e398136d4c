// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/answer_card.h"

#include "canvases/memory_bars.h"
#include "controls/pill.h"
#include "controls/text_label.h"
#include "evaluate/result.h"
#include "figures/figure_event.h"
#include "figures/figure_label.h"
#include "figures/figure_ref.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "glossary/term_text.h"
#include "theme/control_states.h"
#include "theme/theme.h"
#include "views/view_mapping.h"

#include <QGraphicsOpacityEffect>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

namespace meshwright {

namespace {

constexpr int barsHeight = 148;
constexpr qreal staleOpacity = 0.55;

} // namespace

AnswerCard::AnswerCard(const Library &library, QWidget *parent)
    : Card(tr("Best plan"), {}, parent)
    , m_library(library)
    , m_body(new QWidget(this))
    , m_verdict(new Pill({}, Tone::Neutral, this))
    , m_hint(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_configuration(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_facts(new QWidget(this))
    , m_bars(new MemoryBars(this))
    , m_best(new FigureSentence(TypeRole::Body, ColourRole::Text, TextWeight::Regular, this))
    , m_next(new FigureSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_open(new QPushButton(tr("Open this plan"), this))
    , m_remedy(new QPushButton(tr("Use an alternative"), this)) {
    setObjectName(QStringLiteral("startAnswer"));
    m_hint->setObjectName(QStringLiteral("startAnswerHint"));
    m_hint->setWordWrap(true);
    m_configuration->setElided(true);
    m_configuration->setObjectName(QStringLiteral("startConfiguration"));
    m_best->setObjectName(QStringLiteral("startWhyBest"));
    m_next->setObjectName(QStringLiteral("startWhyNext"));
    m_open->setObjectName(QStringLiteral("openFirstPlan"));
    m_open->setToolTip(tr("Opens the best configuration as a new, unsaved plan"));
    m_open->setAutoDefault(true);
    m_remedy->setObjectName(QStringLiteral("startRemedy"));
    m_remedy->setAutoDefault(true);
    setButtonRole(m_open, ButtonRole::Primary);
    for (QWidget *words : {static_cast<QWidget *>(m_hint), static_cast<QWidget *>(m_configuration),
                           static_cast<QWidget *>(m_remedy), static_cast<QWidget *>(m_verdict)})
        showsNoFigures(words, NotFigures::setting); // these are settings of the best plan, or settings that would fit
    addTrailing(m_verdict);

    auto *facts = new QGridLayout(m_facts);
    facts->setContentsMargins(0, 2, 0, 2);
    facts->setHorizontalSpacing(24);
    facts->setVerticalSpacing(0);
    m_step = addFact(tr("Step time"));
    m_mfu = addFact(tr("MFU"));
    m_run = addFact(tr("Run time"));
    m_cost = addFact(tr("Rental cost"));
    facts->setColumnStretch(4, 1);
    m_bars->setMaxHeight(barsHeight);
    m_bars->setObjectName(QStringLiteral("startMemoryBars"));
    m_bars->setFigures({[this](SegmentIndex at) {
                            return FigureRef::ofPlan(figurePathOf(at.row, static_cast<MemoryKind>(at.segment)),
                                                     FigureView::start, names().best);
                        },
                        [this](int row) {
                            return FigureRef::ofPlan(QStringLiteral("memory.stages.%1.total_bytes").arg(row),
                                                     FigureView::start, names().best);
                        },
                        [](const FigureRef &) { return QString(); }});
    connect(m_bars, &MemoryBars::segmentActivated, this, [this](int stage, MemoryKind kind) {
        wantFigure(this, FigureRef::ofPlan(figurePathOf(stage, kind), FigureView::start, names().best));
    });

    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(8);
    for (QWidget *each : {static_cast<QWidget *>(m_configuration), m_facts, static_cast<QWidget *>(m_bars),
                          static_cast<QWidget *>(m_best), static_cast<QWidget *>(m_next)})
        body->addWidget(each);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_open);
    buttons->addWidget(m_remedy);
    buttons->addStretch(1);
    contentLayout()->addWidget(m_hint);
    contentLayout()->addWidget(m_body);
    contentLayout()->addStretch(1);
    contentLayout()->addLayout(buttons);
    connect(m_open, &QPushButton::clicked, this, &AnswerCard::openWanted);
    connect(m_remedy, &QPushButton::clicked, this, [this] {
        if (m_remedyRequest)
            Q_EMIT requestWanted(*m_remedyRequest);
    });
    m_body->hide();
    m_verdict->hide();
    m_open->hide();
    m_remedy->hide();
    m_hint->setText(tr("Press Enter to find the best configuration that fits, and why it is the best."));
}

AnswerCard::KeyFact AnswerCard::addFact(const QString &name) {
    auto *grid = static_cast<QGridLayout *>(m_facts->layout());
    const int column = grid->itemAtPosition(0, 0) == nullptr ? 0 : grid->columnCount();
    KeyFact fact{new TextLabel(name, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, m_facts),
                 new FigureLabel(TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, m_facts)};
    fact.name->setContentsMargins(4, 0, 0, 0); // aligns the name with the figure below, which is inset
    fact.value->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    grid->addWidget(fact.name, 0, column);
    grid->addWidget(fact.value, 1, column);
    return fact;
}

AnswerNames AnswerCard::names() const {
    return {QStringLiteral("best.%1").arg(m_number), QStringLiteral("next.%1").arg(m_number)};
}

std::optional<Plan> AnswerCard::planOf(const QString &name) const {
    if (!m_answer)
        return std::nullopt;
    if (name == names().best && m_answer->result)
        return m_answer->result->plan;
    if (name == names().next && m_answer->next)
        return m_answer->next->plan;
    return std::nullopt;
}

QString AnswerCard::why() const {
    return m_body->isHidden() ? m_hint->text() : QString(m_best->text() + QLatin1Char(' ') + m_next->text());
}

void AnswerCard::setSearching(bool searching) {
    m_searching = searching;
    if (searching) {
        m_verdict->setText(tr("Searching …"));
        m_verdict->setTone(Tone::Neutral);
        m_verdict->setIconName({});
        m_verdict->show();
        if (!m_answer)
            m_hint->setText(tr("Comparing all configurations that fit …"));
    }
    m_open->setEnabled(!searching);
    m_remedy->setEnabled(!searching);
    if (searching && m_body->graphicsEffect() == nullptr) {
        auto *faded = new QGraphicsOpacityEffect(m_body);
        faded->setOpacity(staleOpacity);
        m_body->setGraphicsEffect(faded);
    } else if (!searching) {
        m_body->setGraphicsEffect(nullptr);
    }
}

void AnswerCard::showAnswer(const FirstPlanPointer &answer) {
    m_answer = answer;
    ++m_number;
    setSearching(false);
    m_remedyRequest.reset();
    const bool found = answer->result != nullptr;
    m_body->setVisible(found);
    m_open->setVisible(found);
    m_hint->setVisible(!found);
    if (found)
        showPlan();
    else
        showNothing();
    m_remedy->setVisible(m_remedyRequest.has_value());
    m_verdict->show();
}

void AnswerCard::showFact(KeyFact &fact, double value, Quantity quantity, const QString &figure) {
    fact.value->setFigure(figureText(value, quantity), FigureRef::ofPlan(figure, FigureView::start, names().best));
    fact.value->setAccessibleName(QString(fact.name->text() + QLatin1Char(' ') + figureText(value, quantity)));
}

void AnswerCard::showPlan() {
    const Result &result = *m_answer->result;
    setTitle(QString::fromStdString(m_answer->document->value("name", std::string())));
    m_verdict->setText(tr("Fits"));
    m_verdict->setTone(Tone::Good);
    m_verdict->setIconName(QStringLiteral("ok"));
    m_configuration->setText(
        tr("%1 · best of %2 configurations")
            .arg(configurationText(result.plan), countText(static_cast<double>(m_answer->considered))));
    showFact(m_step, result.step.seconds, Quantity::seconds, QStringLiteral("step.seconds"));
    showFact(m_mfu, result.step.mfu, Quantity::share, QStringLiteral("step.mfu"));
    showFact(m_run, result.run.seconds, Quantity::seconds, QStringLiteral("run.seconds"));
    showFact(m_cost, result.run.rental_dollars, Quantity::dollars, QStringLiteral("run.rental_dollars"));
    m_bars->setView(memoryBarsView(result.memory));
    m_best->setSentence(withTerms(whyBest(*m_answer, names())));
    m_next->setSentence(withTerms(whyNotNext(*m_answer, names())));
    if (!m_answer->affordable_tokens)
        return;
    m_verdict->setText(tr("Over budget"));
    m_verdict->setTone(Tone::Warn);
    m_verdict->setIconName(QStringLiteral("warn"));
    m_remedyRequest = m_answer->request;
    m_remedyRequest->tokens = *m_answer->affordable_tokens;
    m_remedy->setText(
        tr("Train on %1 tokens to stay within budget").arg(figureText(*m_answer->affordable_tokens, Quantity::tokens)));
}

void AnswerCard::showNothing() {
    setTitle(m_answer->problem.empty() ? tr("No configuration fits") : tr("Not a valid plan"));
    m_verdict->setText(m_answer->problem.empty() ? tr("Does not fit") : tr("Check the answers"));
    m_verdict->setTone(Tone::Bad);
    m_verdict->setIconName(QStringLiteral("err"));
    m_hint->setText(whyNothing(*m_answer, m_library));
    if (!m_answer->fits_on)
        return;
    m_remedyRequest = m_answer->request;
    m_remedyRequest->accelerators = *m_answer->fits_on;
    m_remedy->setText(tr("Use %1 GPUs").arg(countText(static_cast<double>(*m_answer->fits_on))));
}

} // namespace meshwright
