// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <memory>

namespace meshwright {

/// A lock that the kernel releases when its process ends. QLockFile identifies the owner by process id, which is not
/// valid across the PID namespaces of containers and Flatpak: a crashed owner can look alive, and a running one dead.
class FileLock {
public:
    /// Null if another window holds the lock, or if the file cannot be created. An existing file can be locked even on
    /// a read-only disk.
    static std::unique_ptr<FileLock> tryToHold(const QString &path);
    /// Whether another window holds the lock. Also false if the file system does not support locks.
    static bool isHeldElsewhere(const QString &path);
    /// Releases the lock and removes the lock file.
    ~FileLock();
    FileLock(const FileLock &) = delete;
    FileLock &operator=(const FileLock &) = delete;

private:
    FileLock(QString path, int file);

    QString m_path;
    int m_file;
};

} // namespace meshwright
