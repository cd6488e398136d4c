// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace meshwright {

/// The file that a plan lies in, and what it held when it was last read or written here. Content decides, not the time:
/// a checkout or a copy may keep or set any time.
class PlanFile {
public:
    PlanFile() = default;
    /// @param seen  see seen(); empty if what it held is not known
    PlanFile(const QString &path, const QByteArray &seen);

    /// What a file holds now, as a hash; empty if it cannot be read.
    static QByteArray contentOf(const QString &path);
    static QByteArray hashOf(const QByteArray &content);

    /// Empty for a plan that lies in no file.
    const QString &path() const { return m_path; }
    const QByteArray &seen() const { return m_seen; }
    /// Whether the file is there and holds something else than was seen.
    bool wasWrittenElsewhere() const;

private:
    QString m_path;
    QByteArray m_seen;
};

} // namespace meshwright
