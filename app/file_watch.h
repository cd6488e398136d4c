// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace meshwright {

class PlanDocument;

/// Notices that another program or window has written the file of the document. Says it once for each content.
class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(PlanDocument &document, QObject *parent = nullptr);

    /// Looks now: on file systems that tell nobody (NFS, FUSE), coming back to the window is the moment to see it.
    void check();

Q_SIGNALS:
    void writtenElsewhere();
    /// The file holds again what the document came from, or another document is shown.
    void settled();

private:
    void follow();

    PlanDocument &m_document;
    QFileSystemWatcher m_watcher;
    QTimer m_pause;
    QByteArray m_said; ///< content that was told of
};

} // namespace meshwright
