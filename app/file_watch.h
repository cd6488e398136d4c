// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace meshwright {

class PlanDocument;

/// Detects that another program or window has changed the document's file. Reports each changed content only once.
class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(PlanDocument &document, QObject *parent = nullptr);

    /// Checks immediately. On file systems without change notification (NFS, FUSE) this is called when the window is
    /// activated.
    void check();

Q_SIGNALS:
    void writtenElsewhere();
    /// Emitted when the file has its original content again, or when another document is shown.
    void settled();

private:
    void follow();

    PlanDocument &m_document;
    QFileSystemWatcher m_watcher;
    QTimer m_pause;
    QByteArray m_said; ///< content that was reported last
};

} // namespace meshwright
