// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan_page.h"

#include "canvases/memory_bars.h"
#include "canvases/step_bar.h"
#include "catalog/library.h"
#include "controls/page_scroll.h"
#include "figures/figure_event.h"
#include "plan/compare_card.h"
#include "plan/edit_rest.h"
#include "plan/goal_card.h"
#include "plan/key_figures.h"
#include "plan/memory_card.h"
#include "plan/memory_table_card.h"
#include "plan/parameters_card.h"
#include "plan/pipeline_card.h"
#include "plan/sites_card.h"
#include "plan/step_card.h"
#include "published/published_card.h"
#include "theme/theme.h"
#include "views/problems_card.h"
#include "views/view_mapping.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

/// Maximum height of the memory bars, as a fraction of the window, so that the step bar and the problems stay visible.
constexpr double barsShare = 0.42;
/// Maximum height of the pipeline rows, as a fraction of the window.
constexpr double pipelineShare = 0.24;
/// Below this window height, rows are lower and notes are hidden, so that the first problem stays visible.
constexpr int lowBelow = 720;
constexpr int lowBarsHeight = 132;
constexpr int maxGoalWidth = 760;
constexpr int minGoalHeight = 240;
constexpr int goalGap = 8;

} // namespace

PlanPage::PlanPage(QWidget *parent)
    : View({.name = QStringLiteral("planView"), .title = tr("Plan"), .icon = QStringLiteral("plan")}, parent)
    , m_scroll(new QScrollArea(this))
    , m_content(new QWidget)
    , m_figures(new KeyFigures(m_content))
    , m_memory(new MemoryCard(m_content))
    , m_step(new StepCard(m_content))
    , m_problems(new ProblemsCard(m_content))
    , m_published(new PublishedCard(m_content))
    , m_secondColumn(new QWidget(m_content))
    , m_table(new MemoryTableCard(m_secondColumn))
    , m_parameters(new ParametersCard(m_secondColumn))
    , m_compare(new CompareCard(m_content))
    , m_pipeline(new PipelineCard(m_secondColumn))
    , m_sites(new SitesCard(m_secondColumn))
    , m_rest(new EditRest(this))
    , m_goal(new GoalCard(Library::standard(), m_content)) {
    auto *second = new QVBoxLayout(m_secondColumn);
    second->setContentsMargins(0, 0, 0, 0);
    second->setSpacing(12);
    second->addWidget(m_pipeline);
    second->addWidget(m_sites);
    second->addWidget(m_parameters);
    second->addWidget(m_table);
    second->addStretch(1);
    m_secondColumn->hide();
    m_published->hide();
    m_compare->hide();
    connect(m_figures, &KeyFigures::goalWanted, m_goal, &GoalCard::openFor);
    connect(m_goal, &GoalCard::resized, this, &PlanPage::placeGoal);
    connect(m_memory->bars(), &MemoryBars::segmentActivated, this,
            [this](int stage, MemoryKind kind) { wantFigure(this, figurePathOf(stage, kind)); });
    connect(m_step->bar(), &StepBar::termActivated, this,
            [this](int, const QString &term) { wantFigure(this, figurePathOf(term)); });

    connect(m_pipeline, &PipelineCard::viewWanted, this, [this] { Q_EMIT viewWanted(QStringLiteral("pipelineView")); });
    connect(m_pipeline, &PipelineCard::drawn, this, &PlanPage::schedulesDrawn);
    connect(m_sites, &SitesCard::viewWanted, this, [this] { Q_EMIT viewWanted(QStringLiteral("sitesView")); });
    connect(m_rest, &EditRest::editingChanged, this, &PlanPage::hold);

    auto *cards = new QVBoxLayout;
    cards->setSpacing(12);
    cards->addWidget(m_memory);
    cards->addWidget(m_step);
    cards->addWidget(m_compare);
    cards->addWidget(m_published);
    cards->addWidget(m_problems); // last card, because its height varies
    cards->addStretch(1);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(12);
    columns->addLayout(cards, 3);
    columns->addWidget(m_secondColumn, 2);
    auto *page = new QVBoxLayout(m_content);
    page->setContentsMargins(16, 16, 16, 16);
    page->setSpacing(12);
    page->addWidget(m_figures);
    page->addLayout(columns, 1);

    scrollPage(m_scroll, m_content);
    m_scroll->setVerticalScrollBarPolicy(
        Qt::ScrollBarAlwaysOn); // always reserve the width of the scroll bar, even while it is hidden
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_scroll);
}

/// An edit of the current plan starts or extends a series of edits; opening another plan ends it.
void PlanPage::noteEdit(const PlanView &view) {
    const bool another = view.result == nullptr || m_opened == nullptr || view.asOpened != m_opened;
    if (another)
        m_rest->end();
    else if (view.document != m_document)
        m_rest->edited();
    if (view.document != m_document)
        m_memory->bars()->setGhost({}); // the preview belonged to the previous plan
    m_document = view.document;
    m_opened = view.asOpened;
}

void PlanPage::hold(bool held) {
    m_content->setMinimumHeight(held ? m_content->height() : 0);
    m_memory->bars()->setHeld(held);
    m_step->bar()->setHeld(held);
    m_pipeline->setHeld(held);
    m_sites->setHeld(held);
}

void PlanPage::showPlan(const PlanView &view) {
    noteEdit(view);
    m_figures->showPlan(view);
    m_memory->showPlan(view);
    m_memory->setFixable(view.valid);
    m_step->showPlan(view);
    m_problems->showPlan(view);
    m_published->showPlan(view);
    m_published->setVisible(view.result != nullptr && !view.result->published.empty());
    m_goal->showPlan(view);
    if (m_wide) {
        m_compare->setOpened(view.asOpened);
        m_compare->showPlan(view);
        m_table->showPlan(view);
        m_parameters->showPlan(view);
        m_pipeline->showPlan(view);
        m_sites->showPlan(view);
    }
}

void PlanPage::setFormulaLines(const std::function<QString(const FigureRef &)> &lines) {
    m_figures->setFormulaLines(lines);
    m_memory->bars()->setFigures(
        {[](SegmentIndex at) { return figurePathOf(at.row, static_cast<MemoryKind>(at.segment)); },
         [](int row) { return QStringLiteral("memory.stages.%1.total_bytes").arg(row); }, lines});
    m_step->bar()->setFigures({[](SegmentIndex at) {
                                   return figurePathOf(
                                       QString::fromStdString(step_term_names()[static_cast<std::size_t>(at.segment)]));
                               },
                               [](int) { return QStringLiteral("step.seconds"); }, lines});
}

QBoxLayout *PlanPage::column() const {
    return static_cast<QBoxLayout *>(m_content->layout());
}

void PlanPage::hostFound(QWidget *strip) {
    column()->insertWidget(column()->indexOf(m_figures) + 1, strip);
}

void PlanPage::setGoal() {
    m_goal->openFor(m_figures->goalsFor(KeyQuantity::Run));
}

void PlanPage::seekFit() {
    m_goal->seekGoal({GoalFigure::headroom, GoalFigure::fit}, QStringLiteral("0 GB"));
}

/// Places the goal card below the key figures. It covers the cards there, so that nothing moves when it opens.
void PlanPage::placeGoal() {
    if (m_goal->isHidden())
        return;
    const int top = m_figures->geometry().bottom() + goalGap;
    const int wide = std::min(maxGoalWidth, m_figures->width());
    const int room = std::max(minGoalHeight, height() - top - goalGap);
    m_goal->setGeometry(m_figures->x(), top, wide, std::min(room, m_goal->heightFor(wide)));
    m_goal->raise();
}

void PlanPage::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    arrange();
    placeGoal();
}

void PlanPage::arrange() {
    const bool wide = width() >= WideFrom;
    const bool low = height() < lowBelow;
    m_memory->setCompact(low);
    m_memory->setMaxBarsHeight(low ? lowBarsHeight : static_cast<int>(height() * barsShare));
    const int margin = low ? 8 : 16;
    const int right = std::max(0, margin - m_scroll->verticalScrollBar()->sizeHint().width());
    m_content->layout()->setContentsMargins(margin, margin, right, margin);
    m_pipeline->setMaxHeight(static_cast<int>(height() * pipelineShare));
    if (wide == m_wide)
        return;
    m_wide = wide;
    m_secondColumn->setVisible(wide);
    m_compare->setVisible(wide);
    if (wide)
        Q_EMIT becameWide();
}

} // namespace meshwright
