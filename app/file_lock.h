// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <memory>

namespace meshwright {

/// A lock that the kernel drops with the process that holds it. QLockFile names its holder by process id, which says
/// nothing across the PID namespaces of containers and Flatpak: a crashed holder can look alive, a living one dead.
class FileLock {
public:
    /// Null if another window holds it, or if the file cannot be made. One that is there can be held on a disk that
    /// cannot be written, too.
    static std::unique_ptr<FileLock> tryToHold(const QString &path);
    /// Whether another window holds it: false also where nobody can.
    static bool isHeldElsewhere(const QString &path);
    /// Removes the file.
    ~FileLock();
    FileLock(const FileLock &) = delete;
    FileLock &operator=(const FileLock &) = delete;

private:
    FileLock(QString path, int file);

    QString m_path;
    int m_file;
};

} // namespace meshwright
