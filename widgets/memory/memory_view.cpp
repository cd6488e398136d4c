// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_view.h"

#include "controls/choice_box.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "gantt/figure_line.h"
#include "gantt/operation_card.h"
#include "gantt/schedule_figures.h"
#include "memory/peak_card.h"
#include "memory/peak_derivation.h"
#include "memory/step_memory_chart.h"
#include "theme/control_states.h"
#include "theme/icon.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_marks.h"
#include "timeline/timeline_overview.h"
#include "views/plan_errors.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {
namespace {

constexpr int RankBoxWidth = 132;
constexpr int ButtonSide = 28;
constexpr int RowHeight = 58; ///< height of the operations row, including its ruler

} // namespace

MemoryView::MemoryView(const Library &library, QWidget *parent)
    : View({.name = QStringLiteral("memoryView"),
            .title = tr("Memory"),
            .icon = QStringLiteral("mem"),
            .docks = Docks::Hidden,
            .figures = FigureView::memory},
           parent)
    , m_axis(new TimelineAxis(this))
    , m_reason(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_errors(new PlanErrors(this)) {
    m_reason->setWordWrap(true);
    m_reason->hide();
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(16, 8, 12, 8);
    whole->setSpacing(8);
    m_toolbar = newToolbar();
    whole->addWidget(m_toolbar);
    whole->addWidget(m_reason);
    whole->addWidget(m_errors);
    m_charts = newCharts();
    whole->addWidget(m_charts, 1);
    whole->addStretch(0);
    setFocusProxy(m_chart);
    m_worker = std::make_unique<LatestWorker<MemoryQuestion, RunPointer>>(
        this,
        [this, &library](const MemoryQuestion &question, const auto &) {
            m_last = std::make_shared<const MemoryRun>(runMemory(question, library, m_last.get()));
            return m_last;
        },
        [this](const RunPointer &run) { receive(run); });
}

QAction *MemoryView::addTool(const QString &icon, const QString &text, const QKeySequence &keys) {
    auto *action = new QAction(icons::icon(icon), text, this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(tr("%1 (%2)").arg(text, keys.toString(QKeySequence::NativeText)));
    addAction(action);
    return action;
}

QWidget *MemoryView::newToolbar() {
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_rankBox = new ChoiceBox(bar);
    m_rankBox->setObjectName(QStringLiteral("memoryRank"));
    m_rankBox->setFixedWidth(RankBoxWidth);
    m_rankBox->setAccessibleName(tr("Pipeline rank"));
    m_rankBox->setToolTip(tr("Pipeline rank to show. Page Up and Page Down switch between ranks."));
    row->addWidget(m_rankBox);
    m_figures = new FigureLine(bar);
    row->addWidget(m_figures, 1);
    m_measure = addTool(QStringLiteral("ruler"), tr("Measure"), QKeySequence(Qt::Key_M));
    m_measure->setCheckable(true);
    m_fitAll = addTool(QStringLiteral("fit"), tr("Fit All"), QKeySequence(Qt::Key_0));
    for (QAction *action : {m_measure, m_fitAll}) {
        auto *button = new QToolButton(bar);
        button->setDefaultAction(action);
        button->setFixedSize(ButtonSide, ButtonSide);
        button->setAccessibleName(action->text());
        setButtonRole(button, ButtonRole::Flat);
        row->addWidget(button);
    }
    connect(m_rankBox, &QComboBox::activated, this, &MemoryView::chooseRank);
    connect(m_fitAll, &QAction::triggered, this, [this] { m_axis->showAll(); });
    return bar;
}

QWidget *MemoryView::newCharts() {
    auto *charts = new QWidget(this);
    auto *row = new QHBoxLayout(charts);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    auto *column = new QVBoxLayout;
    column->setSpacing(6);
    row->addLayout(column, 1);
    m_row = new TimelineCanvas(m_axis, TimelineCanvas::Ruler::Shown, charts);
    m_row->setFixedHeight(RowHeight);
    m_row->setAccessibleName(tr("Operations of the rank"));
    m_row->setDescribe([this](SpanIndex span) {
        return m_run == nullptr
            ? HoverContent{}
            : describeSpan(*m_run->schedule->pipeline, m_run->timeline, span, m_axis->visible(), Theme::of(this));
    });
    m_chart = new StepMemoryChart(m_axis, charts);
    m_chart->setObjectName(QStringLiteral("stepMemory"));
    m_chart->setAccessibleName(tr("Memory by kind over the step"));
    m_measuredTitle = new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, charts);
    m_measuredTitle->setElided(true);
    showsNoFigures(m_measuredTitle, NotFigures::name);
    m_measuredTitle->setContentsMargins(timelines::Gutter, 0, 0, 0);
    m_measured = new StepMemoryChart(m_axis, charts);
    m_measured->setObjectName(QStringLiteral("measuredMemory"));
    m_measured->setAccessibleName(tr("Measured memory by kind over the step"));
    m_overview = new TimelineOverview(m_axis, charts);
    m_overview->setName(tr("step"));
    column->addWidget(m_row);
    column->addWidget(m_chart, 1);
    column->addWidget(m_measuredTitle);
    column->addWidget(m_measured, 1);
    column->addWidget(m_overview);
    m_peak = new PeakCard(charts);
    row->addWidget(m_peak);
    connect(m_measure, &QAction::toggled, this, [this](bool measuring) {
        m_row->setMeasuring(measuring);
        m_chart->setMeasuring(measuring);
        m_measured->setMeasuring(measuring);
    });
    charts->hide();
    return charts;
}

ProblemsCard *MemoryView::problems() const {
    return m_errors->problems();
}

void MemoryView::showPlan(const PlanView &view) {
    const bool same = m_view.valid == view.valid && m_view.plan == view.plan;
    m_view = view;
    m_errors->showPlan(view, PlanErrors::Below::LastValid);
    m_asked = m_asked && same;
    if (view.result == nullptr)
        drawNothing(); // the charts still show another plan
    if (m_run != nullptr) {
        m_peak->showPlan(m_view, *m_run);
        showFigures();
    }
    if (isVisible())
        refresh();
}

void MemoryView::refresh() {
    if (!m_view.valid)
        m_reason->hide();
    m_chart->setStale(!m_view.valid);
    m_peak->setEnabled(m_view.valid);
    m_rankBox->setEnabled(m_view.valid);
    m_toolbar->setVisible(m_run != nullptr || m_view.valid);
    if (m_view.valid && !m_asked)
        ask();
}

void MemoryView::ask() {
    // A hidden view does not simulate; it starts the simulation when it is shown.
    m_asked = isVisible() && m_view.valid;
    if (m_asked)
        m_worker->ask({.plan = m_view.plan, .rank = m_rank});
}

void MemoryView::receive(const RunPointer &run) {
    if (!m_view.valid && m_view.result == nullptr)
        return; // the answer belongs to the plan that was open before
    if (run->trace == nullptr) {
        m_reason->setText(tr("Cannot draw the memory of this step: %1.").arg(run->problem));
        m_reason->show();
        drawNothing();
        return;
    }
    m_reason->hide();
    m_run = run;
    showRun();
}

void MemoryView::drawNothing() {
    m_charts->hide();
    m_figures->setEntries({});
    m_run = nullptr;
}

void MemoryView::showRun() {
    const QSignalBlocker silent(m_rankBox);
    const auto ranks = static_cast<int>(m_run->schedule->pipeline->order.ranks);
    if (m_rankBox->count() != ranks) {
        m_rankBox->clear();
        for (int rank = 0; rank < ranks; ++rank)
            m_rankBox->addItem(tr("Rank %1 of %2").arg(rank).arg(ranks));
    }
    m_rankBox->setCurrentIndex(m_run->rank);
    const double measured = m_run->measured ? m_run->measured->seconds : 0;
    m_axis->setWhole({0, std::max({m_run->stepSeconds(), measured, 1e-9})});
    m_row->setModel(m_run->timeline.model);
    m_overview->setModel(m_run->timeline.model);
    showMeasured();
    m_chart->setCapacity(m_run->trace->memory().capacity_bytes);
    m_chart->setTrace(m_run->trace);
    m_peak->showRun(*m_run);
    m_peak->showPlan(m_view, *m_run);
    showFigures();
    m_charts->show();
}

void MemoryView::showMeasured() {
    const bool shown = m_run->measured.has_value();
    m_measuredTitle->setVisible(shown);
    m_measured->setVisible(shown);
    m_measured->setTrace(shown ? m_run->measured->trace : nullptr);
    m_measured->setHighest(shown ? m_chart->highest() : 0);
    if (!shown)
        return;
    const MeasuredTrace &measured = *m_run->measured;
    m_measured->setHighest(std::max(m_run->trace->peak().total(), m_run->trace->memory().capacity_bytes));
    m_measuredTitle->setText(
        tr("Measured: %1, step %2 · %3").arg(measured.name, QString::number(measured.step), measured.source));
    m_measured->setToolTip(measured.description);
}

void MemoryView::showFigures() {
    const PlanPipeline &pipeline = *m_run->schedule->pipeline;
    const auto rank = static_cast<std::size_t>(m_run->rank);
    const auto path = [this](const char *figure) {
        return scheduleFigure(*m_run->schedule,
                              QStringLiteral("ranks.%1.%2").arg(m_run->rank).arg(QLatin1String(figure)));
    };
    QVector<FigureLine::Entry> figures{
        {tr("peak activations in flight"), countText(pipeline.timeline.peak_in_flight[rank]), path("in_flight")}};
    if (m_view.valid && m_view.result != nullptr && m_view.result->plan == m_run->plan)
        figures.append(
            {tr("step"), figureText(m_view.result->step.seconds, Quantity::seconds), QStringLiteral("step.seconds")});
    if (m_run->rank != m_run->peakRank)
        figures.append({tr("highest peak"), tr("rank %1").arg(m_run->peakRank)});
    m_figures->setTitle(tr("Memory over a step"));
    m_figures->setEntries(figures);
}

std::optional<Derivation> MemoryView::derivationOf(const QString &figure) const {
    if (m_run == nullptr || m_run->trace == nullptr)
        return std::nullopt;
    const bool isOfPlan = m_view.result != nullptr && m_view.result->plan == m_run->plan;
    return peakDerivation(figure, *m_run, isOfPlan ? m_view.result.get() : nullptr);
}

void MemoryView::chooseRank(int rank) {
    m_rank = rank;
    ask();
}

void MemoryView::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    refresh();
}

void MemoryView::keyPressEvent(QKeyEvent *event) {
    const int step = event->key() == Qt::Key_PageDown ? 1 : event->key() == Qt::Key_PageUp ? -1 : 0;
    const int rank = m_rankBox->currentIndex() + step;
    if (step != 0 && m_view.valid && rank >= 0 && rank < m_rankBox->count()) {
        m_rankBox->setCurrentIndex(rank);
        chooseRank(rank);
    } else {
        event->ignore();
    }
}

} // namespace meshwright
