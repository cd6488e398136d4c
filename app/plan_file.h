// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace meshwright {

/// A plan's file and its content when it was last read or written here. Changes are detected by content instead of time
/// because a checkout or a copy can set any modification time.
class PlanFile {
public:
    PlanFile() = default;
    /// @param seen  hash of the content that was last read or written; empty if unknown
    PlanFile(const QString &path, const QByteArray &seen);

    /// Hash of a file's current content; empty if it cannot be read.
    static QByteArray contentOf(const QString &path);
    static QByteArray hashOf(const QByteArray &content);

    /// @returns an empty path for a plan without a file
    const QString &path() const { return m_path; }
    const QByteArray &seen() const { return m_seen; }
    /// Whether the file exists and its content differs from `seen`.
    bool wasWrittenElsewhere() const;

private:
    QString m_path;
    QByteArray m_seen;
};

} // namespace meshwright
