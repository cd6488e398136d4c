// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/schedule_runner.h"
#include "views/result_card.h"

namespace meshwright {

class SchedulePanel;
class TimelineAxis;
class TimelineLegend;

/// One simulated pipeline step on the Plan page: a small version of the Pipeline view.
class PipelineCard : public ResultCard {
    Q_OBJECT

public:
    explicit PipelineCard(QWidget *parent = nullptr);

    /// Maximum total height of all rows. A pipeline with few ranks takes less.
    void setMaxHeight(int height);
    /// Keeps the height of the rows during a series of edits.
    void setHeld(bool held);
    const SchedulePanel *panel() const { return m_panel; }

Q_SIGNALS:
    /// Emitted when the user asks for the Pipeline view.
    void viewWanted();
    void drawn(const std::vector<meshwright::DrawnSchedule> &schedules);

protected:
    void showResult(const Result &result) override;
    void showEvent(QShowEvent *event) override;

private:
    void ask();
    void receive(const std::vector<DrawnSchedule> &schedules);
    void fitRows();

    ScheduleRunner *m_runner;
    TimelineAxis *m_axis;
    SchedulePanel *m_panel;
    TimelineLegend *m_legend;
    Plan m_plan;
    bool m_asked = true; ///< whether the current plan was sent to the simulation; true before the first plan
    bool m_held = false;
    int m_maxHeight = 280;
};

} // namespace meshwright
