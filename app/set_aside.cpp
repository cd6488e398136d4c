// SPDX-License-Identifier: GPL-3.0-or-later
#include "set_aside.h"

#include <QFile>

namespace meshwright {

QString setAside(const QString &file) {
    constexpr int most = 1000; // number of names to try before giving up
    QString name = file + QStringLiteral(".unread");
    for (int i = 2; i < most; ++i) {
        if (QFile::rename(file, name)) // fails if a file of this name exists
            return name;
        if (!QFile::exists(name))
            break; // the rename failed for another reason
        name = QStringLiteral("%1.unread-%2").arg(file).arg(i);
    }
    return {};
}

} // namespace meshwright
