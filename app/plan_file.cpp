// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_file.h"

#include "input/files.h"

#include <QCryptographicHash>

#include <exception>

namespace meshwright {

PlanFile::PlanFile(const QString &path, const QByteArray &seen)
    : m_path(path)
    , m_seen(seen) { }

QByteArray PlanFile::hashOf(const QByteArray &content) {
    return QCryptographicHash::hash(content, QCryptographicHash::Sha256);
}

QByteArray PlanFile::contentOf(const QString &path) {
    try {
        const std::string content = read_file(path.toStdString());
        return hashOf(QByteArray::fromRawData(content.data(), static_cast<qsizetype>(content.size())));
    } catch (const std::exception &) {
        return {}; // the file cannot be read
    }
}

bool PlanFile::wasWrittenElsewhere() const {
    if (m_path.isEmpty())
        return false;
    const QByteArray now = contentOf(m_path);
    return !now.isEmpty() && now != m_seen;
}

} // namespace meshwright
