// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/schedule_runner.h"
#include "views/view.h"

#include <vector>

class QAction;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace meshwright {

class FigureLine;
class MemoryCurves;
class Pill;
class PipelineToolbar;
class PlanErrors;
class ProblemsCard;
class SchedulePanel;
class Segmented;
class SweepPlayer;
class TextLabel;
class TimelineAxis;
class TimelineLegend;
class TimelineOverview;

/// Simulates the plan's pipeline schedule and draws it as a timeline per rank, other schedules below it on the same
/// time axis, and memory per rank. Simulates on another thread, and only while the view is visible.
class PipelineView : public View {
    Q_OBJECT

public:
    explicit PipelineView(QWidget *parent = nullptr);

    void showPlan(const PlanView &view) override;
    /// The schedules drawn; the plan's own comes first.
    const std::vector<DrawnSchedule> &schedules() const { return m_schedules; }

    TimelineAxis *axis() const { return m_axis; }
    PipelineToolbar *toolbar() const { return m_toolbar; }
    MemoryCurves *memory() const { return m_memory; }
    ProblemsCard *problems() const override;
    /// The panel of the plan's own schedule, then the panels of the compared schedules.
    const std::vector<SchedulePanel *> &panels() const { return m_panels; }
    bool isSettled() const;
    QList<QAction *> tools() const;
    void compareWith(const std::vector<Schedule> &schedules);
    void chooseMicrobatch(int number);

Q_SIGNALS:
    void settled();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void connectToolbar();
    void connectPanel(SchedulePanel *panel);
    QWidget *newCharts();
    void refresh();
    void ask();
    void receive(const std::vector<DrawnSchedule> &schedules);
    void setPanelCount(std::size_t count);
    void showMemory();
    void showLegend();
    void choose(const SchedulePanel *panel, SpanIndex span);
    void unfold(const SchedulePanel *panel, int track);
    void take(const SchedulePanel *panel);
    void setSchedule(Schedule schedule, const std::string &patch);
    void setStops();

    PlanView m_view;
    std::vector<Schedule> m_compared;
    UnfoldedRanks m_unfolded;
    std::vector<DrawnSchedule> m_schedules;
    bool m_asked = false;
    /// Whether the charts show an earlier plan because the current one cannot be evaluated.
    bool m_ofAnotherPlan = false;
    bool m_opened = false; ///< whether another plan was opened but is not drawn yet
    int m_number = -1;
    bool m_rankChosen = false; ///< whether the user chose the rank; otherwise it is the one with peak memory

    TimelineAxis *m_axis;
    ScheduleRunner *m_runner;
    SweepPlayer *m_player;
    PipelineToolbar *m_toolbar;
    TimelineLegend *m_legend;
    QScrollArea *m_scroll;
    QVBoxLayout *m_panelColumn = nullptr;
    std::vector<SchedulePanel *> m_panels;
    QWidget *m_memoryHeading = nullptr;
    FigureLine *m_memoryFigures = nullptr;
    Segmented *m_memoryKind = nullptr;
    MemoryCurves *m_memory = nullptr;
    TimelineOverview *m_overview = nullptr;
    PlanErrors *m_errors;
    bool m_critical = false;
    bool m_memoryWanted = true;
    bool m_measuring = false;
};

} // namespace meshwright
