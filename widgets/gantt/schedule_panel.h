// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/schedule_runner.h"
#include "timeline/timeline_canvas.h"

#include <QWidget>

class QPushButton;
class QToolButton;

namespace meshwright {

class FigureLine;
class Pill;
class TextLabel;

/// One schedule: its key figures above its timeline, or the reason why it cannot run. A schedule added for comparison
/// can be used in the plan or removed.
class SchedulePanel : public QWidget {
    Q_OBJECT

public:
    enum class Role { OfThePlan, Compared };

    SchedulePanel(TimelineAxis *axis, Role role, QWidget *parent = nullptr);

    /// @param letter  shown before the name; empty without a comparison
    /// @param first   the plan's own schedule, which is the baseline; may be null
    void showSchedule(const DrawnSchedule &schedule, const QString &letter, const ScheduleRun *first);
    const DrawnSchedule &schedule() const { return m_schedule; }
    TimelineCanvas *canvas() const { return m_canvas; }
    const FigureLine *figures() const { return m_figures; }
    /// Outlines a microbatch and draws the dependencies of its operations.
    void chooseMicrobatch(int number);

Q_SIGNALS:
    void taken();
    void putAway();

private:
    void showFigures(const QString &letter);
    void showBadge(const ScheduleRun *first);

    Role m_role;
    DrawnSchedule m_schedule;
    FigureLine *m_figures;
    Pill *m_badge;
    QPushButton *m_take;
    QToolButton *m_close;
    TextLabel *m_problem;
    TimelineCanvas *m_canvas;
};

} // namespace meshwright
