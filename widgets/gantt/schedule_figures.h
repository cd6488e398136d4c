// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "gantt/figure_line.h"
#include "gantt/schedule_run.h"

namespace meshwright {

/// Path of a figure of an executed schedule: "makespan_seconds", "ranks.0.peak_bytes".
FigureRef scheduleFigure(const ScheduleRun &run, const QString &figure);

/// What stands over a schedule's timeline. @pre it runs
QVector<FigureLine::Entry> scheduleEntries(const ScheduleRun &run);
/// The three conventions of "bubble", each with its formula and its value here, next to what idle counts. @pre it runs
QString bubbleConventions(const ScheduleRun &run);
/// What stands over the memory curves. @param unitWord  what is in flight: "chunks"
QVector<FigureLine::Entry> memoryEntries(const ScheduleRun &run, std::size_t rank, const QString &unitWord);

} // namespace meshwright
