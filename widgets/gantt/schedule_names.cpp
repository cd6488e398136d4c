// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/schedule_names.h"

namespace meshwright {

QStringList scheduleTexts() {
    QStringList texts;
    for (const Schedule schedule : all_schedules())
        texts.append(scheduleText(schedule));
    return texts;
}

QString scheduleText(Schedule schedule) {
    return QString::fromStdString(definition_of(schedule).title);
}

} // namespace meshwright
