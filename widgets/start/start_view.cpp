// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/start_view.h"

#include "controls/card.h"
#include "controls/page_scroll.h"
#include "controls/text_label.h"
#include "figures/figure_ref.h"
#include "start/answer_card.h"
#include "start/gallery.h"
#include "start/goal_tiles.h"
#include "start/plan_summaries.h"
#include "start/questions_card.h"
#include "start/recent_plans.h"
#include "theme/control_states.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

namespace meshwright {

namespace {

constexpr int restMilliseconds = 250;
constexpr int afterFirstPaint = 60; ///< milliseconds between showing the window and the first evaluation
constexpr int questionsWidth = 400;
constexpr int besideFrom = 880; ///< minimum page width in pixels that shows questions and answer side by side
constexpr int maxWidth = 1720;
constexpr int pageMargin = 24;

} // namespace

StartView::StartView(const Library &library, QWidget *parent)
    : View({.name = QStringLiteral("startView"),
            .title = tr("Start"),
            .icon = QStringLiteral("home"),
            .docks = Docks::Hidden,
            .keys = QKeySequence(Qt::ALT | Qt::Key_Home),
            .figures = FigureView::start},
           parent)
    , m_scroll(new QScrollArea(this))
    , m_content(new QWidget)
    , m_goals(new GoalTiles(m_content))
    , m_questions(new QuestionsCard(library, m_content))
    , m_answer(new AnswerCard(library, m_content))
    , m_asked(new QWidget(m_content))
    , m_askedConfiguration(new QBoxLayout(QBoxLayout::LeftToRight, m_asked))
    , m_learn(makeLessonCard())
    , m_recent(new RecentPlans(m_content))
    , m_gallery(new Gallery(library, m_content))
    , m_lower(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_runner(library)
    , m_summaries(new PlanSummaries(library, this)) {
    scrollPage(m_scroll, m_content); // called while the page is empty, because content would be laid out at once
    m_scroll->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_askedConfiguration->setContentsMargins(0, 0, 0, 0);
    m_askedConfiguration->setSpacing(12);
    m_askedConfiguration->addWidget(m_questions);
    m_askedConfiguration->addWidget(m_answer, 1);
    m_lower->setSpacing(12);
    m_lower->addWidget(m_recent, 0, Qt::AlignTop);
    m_lower->addWidget(m_gallery, 1);

    auto *page = new QVBoxLayout(m_content);
    page->setContentsMargins(pageMargin, 20, pageMargin, pageMargin);
    page->setSpacing(12);
    page->addWidget(makeHeading());
    page->addWidget(m_goals);
    page->addWidget(m_asked);
    page->addWidget(m_learn);
    page->addSpacing(8);
    page->addLayout(m_lower);
    page->addStretch(1);
    // Lets the content shrink to the window's width, because the number of columns of tiles depends on the width of the
    // content.
    m_content->setMinimumWidth(1);
    m_content->setMaximumWidth(maxWidth);
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_scroll);
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMilliseconds);
    connectParts(library);
    showGoal(StartGoal::Fit);
}

QWidget *StartView::makeHeading() {
    auto *heading = new TextLabel(tr("What do you want to do?"), TypeRole::Title, ColourRole::Text,
                                  TextWeight::SemiBold, m_content);
    heading->setObjectName(QStringLiteral("startHeading"));
    return heading;
}

Card *StartView::makeLessonCard() {
    auto *card = new Card(tr("Learn from published runs"), {}, m_content);
    card->setObjectName(QStringLiteral("startLearn"));
    auto *text =
        new TextLabel(tr("Choose a run below. It opens in Explain, which derives every figure step by step: the "
                         "formula, its inputs and the paper behind it. Or try the formulas one by one."),
                      TypeRole::Body, ColourRole::Text2, TextWeight::Regular, card);
    text->setWordWrap(true);
    m_formulas = new QPushButton(tr("Open the formulas"), card);
    m_formulas->setObjectName(QStringLiteral("startFormulas"));
    m_formulas->setAutoDefault(true);
    auto *row = new QHBoxLayout;
    row->setSpacing(16);
    row->addWidget(text, 1);
    row->addWidget(m_formulas);
    card->contentLayout()->addLayout(row);
    connect(m_formulas, &QPushButton::clicked, this, [this] { Q_EMIT viewWanted(QStringLiteral("calculatorsView")); });
    return card;
}

void StartView::connectParts(const Library &) {
    connect(m_goals, &GoalTiles::chosen, this, &StartView::showGoal);
    connect(m_questions, &QuestionsCard::changed, this, [this] {
        m_answer->setSearching(true);
        m_rest.start();
    });
    connect(m_questions, &QuestionsCard::submitted, this, &StartView::submit);
    connect(&m_rest, &QTimer::timeout, this, &StartView::search);
    connect(&m_runner, &FirstPlanRunner::answered, this, [this](const FirstPlanPointer &answer) {
        if (m_rest.isActive())
            return; // the user changed an answer in the meantime
        m_answer->showAnswer(answer);
        if (m_openWhenFound)
            submit();
    });
    connect(m_answer, &AnswerCard::openWanted, this, &StartView::open);
    connect(m_answer, &AnswerCard::requestWanted, this, [this](const PlanRequest &request) {
        m_questions->showRequest(request);
        submit();
    });
    connect(m_recent, &RecentPlans::chosen, this, &StartView::fileWanted);
    connect(m_gallery, &Gallery::chosen, this, [this](const QString &id) { Q_EMIT presetWanted(id, m_goals->goal()); });
    connect(m_summaries, &PlanSummaries::recentRead, m_recent, &RecentPlans::setPlans);
    connect(m_summaries, &PlanSummaries::modelSizesRead, m_questions, &QuestionsCard::setModelSizes);
    connect(m_summaries, &PlanSummaries::summarised, m_gallery, &Gallery::setSummary);
}

void StartView::showGoal(StartGoal goal) {
    const bool asks = goal != StartGoal::Learn;
    m_asked->setVisible(asks);
    m_learn->setVisible(!asks);
    m_questions->setSitesAsked(goal == StartGoal::Sites);
    if (!asks || !isVisible())
        return;
    m_answer->setSearching(true);
    search();
}

void StartView::search() {
    m_rest.stop();
    const PlanRequest request = m_questions->request();
    if (m_answer->answer() && m_answer->answer()->request == request && m_answer->answer()->complete) {
        m_runner.cancel();
        m_answer->setSearching(false);
        m_answer->showAnswer(m_answer->answer());
        return;
    }
    m_answer->setSearching(true);
    m_runner.ask(request);
}

void StartView::submit() {
    if (m_answer->answer() && m_answer->answer()->request == m_questions->request()) {
        m_openWhenFound = false;
        if (m_answer->isStale())
            search();
        // Pressing Enter again opens the plan, or searches for an alternative that fits.
        QPushButton *next = m_answer->openButton()->isHidden() ? m_answer->remedyButton() : m_answer->openButton();
        if (!next->isHidden())
            next->setFocus(Qt::TabFocusReason);
        return;
    }
    m_openWhenFound = true;
    search();
}

void StartView::open() {
    if (m_answer->answer() && m_answer->answer()->result)
        Q_EMIT planWanted(*m_answer->answer()->document, m_goals->goal());
}

void StartView::setRecentFiles(const QStringList &files) {
    m_recentFiles = files;
    if (isVisible())
        m_summaries->read(files);
}

QBoxLayout *StartView::column() const {
    return static_cast<QBoxLayout *>(m_content->layout());
}

void StartView::takeFocus() {
    m_questions->takeFocus();
}

bool StartView::isSettled() const {
    return !m_runner.isBusy() && !m_rest.isActive() && m_summaries->isDone() && !m_answer->isStale();
}

std::optional<Plan> StartView::planOf(const QString &name) const {
    return m_answer->planOf(name);
}

void StartView::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    if (!m_answer->answer() && m_goals->goal() != StartGoal::Learn)
        m_answer->setSearching(true);
    QTimer::singleShot(afterFirstPaint, this, [this] {
        if (!isVisible()) {
            m_answer->setSearching(false);
            return;
        }
        m_summaries->read(m_recentFiles);
        if (m_goals->goal() != StartGoal::Learn)
            search();
    });
}

void StartView::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    const bool beside = event->size().width() >= besideFrom;
    const auto direction = beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
    m_askedConfiguration->setDirection(direction);
    m_lower->setDirection(direction);
    for (QWidget *left : {static_cast<QWidget *>(m_questions), static_cast<QWidget *>(m_recent)}) {
        left->setMinimumWidth(beside ? questionsWidth : 0);
        left->setMaximumWidth(beside ? questionsWidth : QWIDGETSIZE_MAX);
    }
}

} // namespace meshwright
