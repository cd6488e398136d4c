// SPDX-License-Identifier: GPL-3.0-or-later
#include "set_aside.h"

#include <QFile>

namespace meshwright {

QString setAside(const QString &file) {
    constexpr int most = 1000; // whoever has more of them has another trouble
    QString name = file + QStringLiteral(".unread");
    for (int i = 2; i < most; ++i) {
        if (QFile::rename(file, name)) // never onto another file
            return name;
        if (!QFile::exists(name))
            break; // it is not the name
        name = QStringLiteral("%1.unread-%2").arg(file).arg(i);
    }
    return {};
}

} // namespace meshwright
