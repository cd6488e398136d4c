// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "gantt/figure_line.h"
#include "gantt/schedule_run.h"

namespace meshwright {

/// Reference to a figure of a simulated schedule, e.g. "makespan_seconds" or "ranks.0.peak_bytes".
FigureRef scheduleFigure(const ScheduleRun &run, const QString &figure);

/// Figures shown above a schedule's timeline. @pre the plan can run with this schedule
QVector<FigureLine::Entry> scheduleEntries(const ScheduleRun &run);
/// The definitions of "bubble" and of idle time, each with its formula and value.
/// @pre the plan can run with this schedule
QString bubbleConventions(const ScheduleRun &run);
/// Figures shown above the memory curves. @param unitWord  what is in flight, e.g. "chunks"
QVector<FigureLine::Entry> memoryEntries(const ScheduleRun &run, std::size_t rank, const QString &unitWord);

} // namespace meshwright
