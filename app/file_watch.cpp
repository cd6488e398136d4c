// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_watch.h"

#include "plan_document.h"

#include <QFileInfo>

namespace meshwright {

namespace {
/// Delay before checking: editors write in several steps (temporary file, rename, permissions).
constexpr int quietMilliseconds = 150;
} // namespace

FileWatch::FileWatch(PlanDocument &document, QObject *parent)
    : QObject(parent)
    , m_document(document) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(quietMilliseconds);
    const auto later = [this] { m_pause.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, later);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, later);
    connect(&m_pause, &QTimer::timeout, this, &FileWatch::check);
    connect(&m_document, &PlanDocument::originChanged, this, &FileWatch::follow);
}

void FileWatch::follow() {
    const QString path = m_document.path();
    // Watch the folder too: a rename replaces the watched file with another one.
    const QStringList wanted = path.isEmpty() ? QStringList() : QStringList{path, QFileInfo(path).absolutePath()};
    for (const QString &old : m_watcher.files() + m_watcher.directories())
        if (!wanted.contains(old))
            m_watcher.removePath(old);
    for (const QString &each : wanted)
        if (!m_watcher.files().contains(each) && !m_watcher.directories().contains(each) && QFileInfo::exists(each))
            m_watcher.addPath(each);
    if (!m_said.isEmpty() && !m_document.file().wasWrittenElsewhere()) {
        m_said.clear();
        Q_EMIT settled();
    }
}

void FileWatch::check() {
    follow();
    if (!m_document.file().wasWrittenElsewhere())
        return;
    const QByteArray now = PlanFile::contentOf(m_document.path());
    if (now == m_said)
        return;
    m_said = now;
    Q_EMIT writtenElsewhere();
}

} // namespace meshwright
