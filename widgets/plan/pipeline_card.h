// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/schedule_runner.h"
#include "views/result_card.h"

namespace meshwright {

class SchedulePanel;
class TimelineAxis;
class TimelineLegend;

/// One simulated step of the pipeline beside the plan's figures: the Pipeline view in small.
class PipelineCard : public ResultCard {
    Q_OBJECT

public:
    explicit PipelineCard(QWidget *parent = nullptr);

    /// Height of the rows; fewer ranks take less of it.
    void setMostHeight(int height);
    /// While edits follow one another the rows keep their height.
    void setHeld(bool held);
    const SchedulePanel *panel() const { return m_panel; }

Q_SIGNALS:
    /// The view that shows it in large is asked for.
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
    bool m_asked = true; ///< there is nothing to ask before the first plan
    bool m_held = false;
    int m_maxHeight = 280;
};

} // namespace meshwright
