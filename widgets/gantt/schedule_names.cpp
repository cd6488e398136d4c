// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/schedule_names.h"

namespace meshwright {

QStringList scheduleTexts() {
    return {QStringLiteral("GPipe"),      QStringLiteral("1F1B"),       QStringLiteral("Interleaved 1F1B"),
            QStringLiteral("Looped BFS"), QStringLiteral("ZB-H1"),      QStringLiteral("ZB-H2"),
            QStringLiteral("ZB-1p"),      QStringLiteral("ZB-2p"),      QStringLiteral("Interleaved zero bubble"),
            QStringLiteral("ZB-V"),       QStringLiteral("V-Half"),     QStringLiteral("V-Min"),
            QStringLiteral("DualPipe"),   QStringLiteral("DualPipe-V"), QStringLiteral("Chimera"),
            QStringLiteral("Seq1F1B")};
}

QString scheduleText(Schedule schedule) {
    return scheduleTexts().at(static_cast<int>(schedule));
}

} // namespace meshwright
