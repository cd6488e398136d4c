// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_file.h"

#include <QCryptographicHash>
#include <QFile>

namespace meshwright {

PlanFile::PlanFile(const QString &path, const QByteArray &seen)
    : m_path(path)
    , m_seen(seen) { }

QByteArray PlanFile::hashOf(const QByteArray &content) {
    return QCryptographicHash::hash(content, QCryptographicHash::Sha256);
}

QByteArray PlanFile::contentOf(const QString &path) {
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    return file.open(QIODevice::ReadOnly) && hash.addData(&file) ? hash.result() : QByteArray();
}

bool PlanFile::wasWrittenElsewhere() const {
    if (m_path.isEmpty())
        return false;
    const QByteArray now = contentOf(m_path);
    return !now.isEmpty() && now != m_seen;
}

} // namespace meshwright
