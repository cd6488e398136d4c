// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/tip_text.h"

#include <QStringList>

namespace meshwright {

QString tipText(const QString &text) {
    constexpr qsizetype maxLine = 72;
    QString wrapped;
    qsizetype length = 0;
    for (const QString &word : text.split(QLatin1Char(' '))) {
        const qsizetype head = word.indexOf(QLatin1Char('\n'));
        const qsizetype added = head < 0 ? word.size() : head;
        if (!wrapped.isEmpty()) {
            const bool fits = length + 1 + added <= maxLine;
            wrapped += QLatin1Char(fits ? ' ' : '\n');
            length = fits ? length + 1 : 0;
        }
        wrapped += word;
        length = head < 0 ? length + added : word.size() - 1 - word.lastIndexOf(QLatin1Char('\n'));
    }
    return wrapped;
}

} // namespace meshwright
