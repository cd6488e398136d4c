// SPDX-License-Identifier: GPL-3.0-or-later
#include "file_lock.h"

#include "input/descriptor.h"

#include <QFile>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace meshwright {

namespace {

/// Whether the file still exists: it may have been removed between opening and locking.
bool isStillThere(const QByteArray &path, int file) {
    struct stat named { };
    struct stat held { };
    return ::stat(path.constData(), &named) == 0 && ::fstat(file, &held) == 0 && named.st_ino == held.st_ino
        && named.st_dev == held.st_dev;
}

} // namespace

std::unique_ptr<FileLock> FileLock::tryToHold(const QString &path) {
    const QByteArray name = QFile::encodeName(path);
    constexpr int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int file = ::open(name.constData(), O_RDWR | O_CREAT | flags, 0600);
    if (file < 0)
        file = ::open(name.constData(), O_RDONLY | flags);
    if (file < 0)
        return nullptr;
    if (::flock(file, LOCK_EX | LOCK_NB) == 0 && isStillThere(name, file))
        return std::unique_ptr<FileLock>(new FileLock(path, file));
    ::close(file);
    return nullptr;
}

bool FileLock::isHeldElsewhere(const QString &path) {
    const Descriptor file(::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    return file.is_open() && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

FileLock::FileLock(QString path, int file)
    : m_path(std::move(path))
    , m_file(file) { }

FileLock::~FileLock() {
    QFile::remove(m_path); // removed while still locked, so that other windows create a new file
    ::close(m_file);
}

} // namespace meshwright
