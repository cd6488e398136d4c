// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <QString>
#include <QStringList>

namespace meshwright {

/// Display names as spelled in the literature, in the order of schedule_names().
QStringList scheduleTexts();
QString scheduleText(Schedule schedule);
/// A short description of a schedule, e.g. "one forward, one backward; at most P in flight". For a schedule added at
/// run time, its source.
QString scheduleSentence(Schedule schedule);

} // namespace meshwright
