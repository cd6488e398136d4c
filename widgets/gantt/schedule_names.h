// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <QString>
#include <QStringList>

namespace meshwright {

/// As they are written in the field, in the order of schedule_names().
QStringList scheduleTexts();
QString scheduleText(Schedule schedule);
/// What a schedule does, in a few words: "one forward, one backward per microbatch in turn". Of one that was added at
/// run time, its source.
QString scheduleSentence(Schedule schedule);

} // namespace meshwright
