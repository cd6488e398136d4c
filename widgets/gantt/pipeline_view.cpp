// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/pipeline_view.h"

#include "controls/page_scroll.h"
#include "controls/segmented.h"
#include "figures/figure_text.h"
#include "gantt/figure_line.h"
#include "gantt/memory_curves.h"
#include "gantt/pipeline_toolbar.h"
#include "gantt/schedule_figures.h"
#include "gantt/schedule_names.h"
#include "gantt/schedule_panel.h"
#include "gantt/sweep_player.h"
#include "gantt/timeline_legend.h"
#include "theme/theme.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_overview.h"
#include "views/plan_errors.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshwright {
namespace {

constexpr int MaxStopsOfOperations = 400'000; ///< maximum number of operations to step through

} // namespace

PipelineView::PipelineView(QWidget *parent)
    : View({.name = QStringLiteral("pipelineView"),
            .title = tr("Pipeline"),
            .icon = QStringLiteral("pipeline"),
            .docks = Docks::Hidden},
           parent)
    , m_axis(new TimelineAxis(this))
    , m_runner(new ScheduleRunner(this))
    , m_player(new SweepPlayer(m_axis, this))
    , m_toolbar(new PipelineToolbar(this))
    , m_legend(new TimelineLegend(this))
    , m_scroll(new QScrollArea(this))
    , m_errors(new PlanErrors(this)) {
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(16, 8, 12, 8);
    whole->setSpacing(8);
    whole->addWidget(m_toolbar);
    whole->addWidget(m_legend);
    whole->addWidget(m_errors);
    whole->addWidget(m_scroll, 1);
    whole->addStretch(0);
    scrollPage(m_scroll, newCharts());
    m_legend->setHint(tr("wheel zooms · drag pans · Shift+drag measures · F fits · 0 shows all · / finds"));
    connectToolbar();
    connect(m_runner, &ScheduleRunner::answered, this, &PipelineView::receive);
    connect(m_player, &SweepPlayer::playingChanged, m_toolbar, &PipelineToolbar::setPlaying);
    for (QAction *tool : tools())
        addAction(tool);
    setPanelCount(1);
    setFocusProxy(m_panels.front()->canvas());
}

QWidget *PipelineView::newCharts() {
    auto *charts = new QWidget;
    auto *column = new QVBoxLayout(charts);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_panelColumn = new QVBoxLayout;
    m_panelColumn->setSpacing(6);
    column->addLayout(m_panelColumn);
    m_memoryHeading = new QWidget(charts);
    auto *heading = new QHBoxLayout(m_memoryHeading);
    heading->setContentsMargins(0, 0, 0, 0);
    m_memoryFigures = new FigureLine(m_memoryHeading);
    m_memoryKind = new Segmented(m_memoryHeading);
    m_memoryKind->setObjectName(QStringLiteral("memoryKind"));
    m_memoryKind->setAccessibleName(tr("Quantity shown by the curves"));
    m_memoryKind->addSegment(tr("Bytes"));
    m_memoryKind->addSegment(tr("In flight"));
    heading->addWidget(m_memoryFigures, 1);
    heading->addWidget(m_memoryKind);
    column->addWidget(m_memoryHeading);
    m_memory = new MemoryCurves(m_axis, charts);
    m_memory->setObjectName(QStringLiteral("memoryCurves"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_memory->setSizePolicy(policy);
    column->addWidget(m_memory);
    m_overview = new TimelineOverview(m_axis, charts);
    m_overview->setName(tr("step"));
    column->addWidget(m_overview);
    connect(m_memoryKind, &Segmented::chosen, this, [this](int index) {
        m_memory->setShows(index == 0 ? MemoryCurves::Shows::Bytes : MemoryCurves::Shows::InFlight);
    });
    connect(m_memory, &MemoryCurves::rankChosen, this, [this] {
        m_rankChosen = true;
        showMemory();
    });
    return charts;
}

void PipelineView::connectToolbar() {
    connect(m_toolbar, &PipelineToolbar::scheduleChosen, this,
            [this](Schedule schedule) { setSchedule(schedule, variantOf(m_view.plan, schedule).patch); });
    connect(m_toolbar, &PipelineToolbar::comparedChosen, this, &PipelineView::compareWith);
    connect(m_toolbar, &PipelineToolbar::allStreamsChosen, this, [this](bool all) {
        m_unfolded = {.all = all, .some = {}};
        ask();
    });
    connect(m_toolbar, &PipelineToolbar::criticalPathToggled, this, [this](bool shown) {
        m_critical = shown;
        m_legend->setCriticalShown(shown);
        for (SchedulePanel *panel : m_panels)
            panel->canvas()->setMarksShown(shown);
    });
    connect(m_toolbar, &PipelineToolbar::memoryToggled, this, [this](bool shown) {
        m_memoryWanted = shown;
        showMemory();
    });
    connect(m_toolbar, &PipelineToolbar::measuringToggled, this, [this](bool measuring) {
        m_measuring = measuring;
        for (SchedulePanel *panel : m_panels)
            panel->canvas()->setMeasuring(measuring);
    });
    connect(m_toolbar, &PipelineToolbar::playWanted, this, [this] {
        setStops();
        m_player->togglePlaying();
    });
    connect(m_toolbar, &PipelineToolbar::stepWanted, this, [this] {
        setStops();
        m_player->step();
    });
    connect(m_toolbar, &PipelineToolbar::stepBackWanted, this, [this] {
        setStops();
        m_player->stepBack();
    });
    connect(m_toolbar, &PipelineToolbar::fitAllWanted, this, [this] { m_axis->showAll(); });
    connect(m_toolbar, &PipelineToolbar::fitChosenWanted, this, [this] { m_panels.front()->canvas()->fitChosen(); });
    connect(m_toolbar, &PipelineToolbar::microbatchWanted, this, [this](int number, bool fit) {
        chooseMicrobatch(number);
        if (fit)
            m_panels.front()->canvas()->fitChosen();
    });
}

QList<QAction *> PipelineView::tools() const {
    return m_toolbar->tools();
}

ProblemsCard *PipelineView::problems() const {
    return m_errors->problems();
}

bool PipelineView::isSettled() const {
    return m_asked && !m_runner->isBusy();
}

void PipelineView::showPlan(const PlanView &view) {
    const bool same = m_view.valid == view.valid && m_view.plan == view.plan;
    m_opened = m_opened || m_view.asOpened != view.asOpened;
    m_view = view;
    m_errors->showPlan(view, PlanErrors::Below::Nothing);
    if (view.result == nullptr)
        m_ofAnotherPlan = !m_schedules.empty();
    m_asked = m_asked && same;
    if (isVisible())
        refresh();
}

void PipelineView::refresh() {
    const bool drawn = m_view.valid && !m_ofAnotherPlan;
    m_scroll->setVisible(drawn);
    m_legend->setVisible(drawn);
    m_toolbar->setEnabled(m_view.valid);
    m_toolbar->showPlan(m_view.plan);
    if (!m_view.valid) {
        m_player->stop();
        return;
    }
    if (!m_asked)
        ask();
}

void PipelineView::ask() {
    // A hidden view does not simulate; it starts the simulation when it is shown.
    m_asked = isVisible() && m_view.valid;
    if (!m_asked)
        return;
    std::erase(m_compared, m_view.plan.parallelism.schedule);
    m_toolbar->setCompared(m_compared);
    m_runner->ask({.plan = m_view.plan, .compared = m_compared, .unfolded = m_unfolded});
}

void PipelineView::receive(const std::vector<DrawnSchedule> &schedules) {
    if (!m_view.valid)
        return; // the answer belongs to the previous plan
    m_schedules = schedules;
    if (std::exchange(m_ofAnotherPlan, false))
        refresh();
    setPanelCount(schedules.size());
    double end = 0;
    for (const DrawnSchedule &schedule : schedules)
        if (schedule.timeline.model != nullptr)
            end = std::max(end, schedule.timeline.model->whole.end);
    if (end > 0)
        m_axis->setWhole({0, end});
    if (end > 0 && std::exchange(m_opened, false))
        m_axis->showAll(TimelineAxis::Pace::AtOnce); // the visible range belonged to another plan's step
    for (std::size_t i = 0; i < schedules.size(); ++i) {
        const QString letter = schedules.size() > 1 ? QString(QChar(u'A' + static_cast<int>(i))) : QString();
        m_panels[i]->showSchedule(schedules[i], letter, i > 0 ? schedules.front().run.get() : nullptr);
        m_panels[i]->chooseMicrobatch(m_number);
    }
    if (schedules.front().timeline.model != nullptr)
        m_overview->setModel(schedules.front().timeline.model);
    m_memory->setModel(schedules.front().memory);
    if (!m_rankChosen && schedules.front().run->pipeline != nullptr)
        m_memory->setFocusRank(static_cast<int>(schedules.front().run->peakRank()));
    showMemory();
    showLegend();
    Q_EMIT settled();
}

void PipelineView::setPanelCount(std::size_t count) {
    while (m_panels.size() > count) {
        m_panels.back()->deleteLater();
        m_panels.back()->hide();
        m_panels.pop_back();
    }
    while (m_panels.size() < count) {
        const auto role = m_panels.empty() ? SchedulePanel::Role::OfThePlan : SchedulePanel::Role::Compared;
        auto *panel = new SchedulePanel(m_axis, role, m_scroll->widget());
        panel->canvas()->setMarksShown(m_critical);
        panel->canvas()->setMeasuring(m_measuring);
        connectPanel(panel);
        m_panelColumn->addWidget(panel);
        m_panels.push_back(panel);
    }
}

void PipelineView::connectPanel(SchedulePanel *panel) {
    connect(panel->canvas(), &TimelineCanvas::chosen, this, [this, panel](SpanIndex span) { choose(panel, span); });
    connect(panel->canvas(), &TimelineCanvas::trackNameClicked, this,
            [this, panel](int track) { unfold(panel, track); });
    connect(panel, &SchedulePanel::taken, this, [this, panel] { take(panel); });
    connect(panel, &SchedulePanel::putAway, this, [this, panel] {
        const Schedule schedule = panel->schedule().run->plan.parallelism.schedule;
        std::erase(m_compared, schedule);
        ask();
    });
}

void PipelineView::showMemory() {
    const ScheduleRun *run = m_schedules.empty() ? nullptr : m_schedules.front().run.get();
    const bool shown = m_memoryWanted && run != nullptr && run->pipeline != nullptr;
    m_memoryHeading->setVisible(shown);
    m_memory->setVisible(shown);
    m_overview->setVisible(run != nullptr && run->pipeline != nullptr);
    // The curves take the height that the rows do not need; without curves, the rows take the whole height.
    for (SchedulePanel *panel : m_panels)
        panel->setSizePolicy(QSizePolicy::Preferred, shown ? QSizePolicy::Maximum : QSizePolicy::Preferred);
    if (!shown)
        return;
    const auto rank = static_cast<std::size_t>(m_memory->focusRank());
    m_memoryFigures->setTitle(run->pipeline->order.ranks > 1 ? tr("Memory per rank") : tr("Memory"));
    m_memoryFigures->setEntries(memoryEntries(*run, rank, m_memory->model()->unitWord));
}

void PipelineView::showLegend() {
    const DrawnSchedule &own = m_schedules.front();
    if (own.timeline.model == nullptr)
        return;
    std::vector<TimelineModelPointer> models;
    for (const DrawnSchedule &schedule : m_schedules)
        if (schedule.timeline.model != nullptr)
            models.push_back(schedule.timeline.model);
    m_legend->setModels(models);
    const OperationOrder &order = own.run->pipeline->order;
    if (order.slices > 1)
        m_legend->setChunks(static_cast<int>(order.slices), tr("slices"));
    else
        m_legend->setChunks(static_cast<int>(order.stages / order.ranks), tr("chunks"));
}

void PipelineView::choose(const SchedulePanel *panel, SpanIndex span) {
    if (!span.isValid()) {
        chooseMicrobatch(-1);
        return;
    }
    const PipelineTimeline &timeline = panel->schedule().timeline;
    const auto track = static_cast<std::size_t>(span.track);
    m_rankChosen = true;
    m_memory->setFocusRank(static_cast<int>(timeline.tracks[track].rank));
    showMemory();
    chooseMicrobatch(timeline.model->tracks[track].look(span.span).number);
}

void PipelineView::chooseMicrobatch(int number) {
    m_number = number;
    m_toolbar->setMicrobatch(number);
    for (SchedulePanel *panel : m_panels)
        panel->chooseMicrobatch(number);
}

void PipelineView::unfold(const SchedulePanel *panel, int track) {
    const std::int64_t rank = panel->schedule().timeline.tracks[static_cast<std::size_t>(track)].rank;
    if (!m_unfolded.some.erase(rank))
        m_unfolded.some.insert(rank);
    ask();
}

void PipelineView::take(const SchedulePanel *panel) {
    const ScheduleRun &run = *panel->schedule().run;
    // In the comparison, the plan's former schedule takes the place of the new one.
    const Schedule before = m_view.plan.parallelism.schedule;
    std::replace(m_compared.begin(), m_compared.end(), run.plan.parallelism.schedule, before);
    setSchedule(run.plan.parallelism.schedule, run.patch);
}

void PipelineView::setSchedule(Schedule schedule, const std::string &patch) {
    if (patch.empty())
        return;
    Q_EMIT edited({.field = QStringLiteral("/parallelism/schedule"),
                   .subject = tr("Schedule"),
                   .from = scheduleText(m_view.plan.parallelism.schedule),
                   .to = scheduleText(schedule),
                   .patch = patch,
                   .pace = EditPace::Settled});
}

void PipelineView::compareWith(const std::vector<Schedule> &schedules) {
    m_compared = schedules;
    ask();
}

void PipelineView::setStops() {
    const ScheduleRun *run = m_schedules.empty() ? nullptr : m_schedules.front().run.get();
    if (run == nullptr || run->pipeline == nullptr)
        return;
    const Timeline &timeline = run->pipeline->timeline;
    std::vector<double> stops;
    if (timeline.start.size() <= MaxStopsOfOperations) {
        stops = timeline.start;
        stops.insert(stops.end(), timeline.end.begin(), timeline.end.end());
        std::sort(stops.begin(), stops.end());
        stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
    }
    m_player->setStops(std::move(stops));
}

void PipelineView::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    refresh();
}

void PipelineView::hideEvent(QHideEvent *event) {
    QWidget::hideEvent(event);
    m_player->pause();
}

void PipelineView::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Slash && m_view.valid) {
        m_toolbar->findField()->setFocus();
        m_toolbar->findField()->selectAll();
    } else if (event->key() == Qt::Key_Escape && m_axis->sweep()) {
        m_player->stop();
    } else if (event->key() == Qt::Key_Escape && m_toolbar->findField()->hasFocus()) {
        m_toolbar->findField()->clear();
        chooseMicrobatch(-1);
        m_panels.front()->canvas()->setFocus();
    } else {
        event->ignore();
    }
}

} // namespace meshwright
