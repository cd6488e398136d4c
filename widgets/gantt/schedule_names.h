// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <QString>
#include <QStringList>

namespace meshwright {

/// As they are written in the field, in the order of schedule_names().
QStringList scheduleTexts();
QString scheduleText(Schedule schedule);

} // namespace meshwright
