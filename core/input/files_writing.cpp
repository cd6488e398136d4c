// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/descriptor.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "input/left_files.h"
#include "input/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace meshwright {

namespace {

namespace fs = std::filesystem;

mode_t process_mask() noexcept {
    const mode_t mask = ::umask(0); // the mask can only be read by setting it
    ::umask(mask);
    return mask;
}
/// Initialized before a second thread exists, because umask() changes the whole process.
const mode_t mode_of_new_files = 0666 & ~process_mask();

void require(bool done) {
    if (!done)
        throw std::system_error(errno, std::generic_category());
}

fs::path folder_of(const fs::path &path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void write_all(int file, std::string_view text) {
    constexpr int patience = 10'000; // milliseconds to wait for the reader of a pipe to take a byte
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t now = ::write(file, text.data() + done, text.size() - done);
        if (now < 0 && errno == EAGAIN) {
            pollfd waiting{file, POLLOUT, 0};
            const int ready = ::poll(&waiting, 1, patience);
            errno = EAGAIN;
            require(ready != 0);
        } else if (now < 0) {
            require(errno == EINTR);
        } else {
            errno = ENOSPC; // a device that accepts no bytes does not set errno
            require(now > 0);
            done += static_cast<std::size_t>(now);
        }
    }
}

void sync_file(int file) {
    if (uninterrupted([&] { return ::fsync(file); }) != 0)
        require(errno == EINVAL || errno == EROFS || errno == ENOSYS); // some files do not support syncing
}

void sync_folder(const fs::path &folder) noexcept {
    const Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (open.is_open())
        (void)uninterrupted([&] { return ::fsync(open.get()); }); // some file systems cannot sync folders
}

enum class Before { Kept, Removed };

void write_in_place(const fs::path &path, std::string_view text, Before before) {
    const int flags = O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (before == Before::Removed ? O_TRUNC : 0);
    Descriptor file(uninterrupted([&] { return ::open(path.c_str(), flags); }));
    require(file.is_open());
    write_all(file.get(), text);
    sync_file(file.get()); // has no effect on devices
    require(file.close());
}

/// Name of the file that holds the complete new text while the file with this inode is written in place.
std::string name_of_whole(ino_t inode) {
    return fmt::format("{}{}{}", temporary_names::start, inode, temporary_names::whole);
}

/// A temporary file with an unpredictable name, locked while it exists and removed unless it replaces the target. It is
/// private (mode 0600) until it gets the target's mode.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path &folder)
        : m_folder(folder)
        , m_file(-1) {
        constexpr int attempts = 3; // another process in settle_folder() may remove the file before it is locked
        for (int i = 0; i < attempts && !m_is_there; ++i)
            make();
        require(m_is_there);
    }
    ~TemporaryFile() {
        if (m_is_there)
            ::unlink(m_name.c_str());
    }
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;

    int get() const { return m_file.get(); }

    void become(const fs::path &target) {
        require(::rename(m_name.c_str(), target.c_str()) == 0);
        m_is_there = false;
    }

    /// Copies the text into the target's inode. If the program is killed during the copy, the temporary file stays
    /// for settle_folder(). If the disk is full, the old text is restored.
    void fill(const fs::path &target, ino_t inode, std::string_view text) {
        const std::string before = read_file(target, std::numeric_limits<std::size_t>::max());
        const std::string name = (m_folder / name_of_whole(inode)).string();
        require(::rename(m_name.c_str(), name.c_str()) == 0);
        m_name = name;
        sync_folder(m_folder);
        try {
            write_in_place(target, text, Before::Removed);
        } catch (const std::system_error &) {
            put_back(target, before);
            throw;
        }
    }

private:
    void make() {
        m_name = (m_folder / (std::string(temporary_names::start) + "XXXXXX" + temporary_names::part)).string();
        const int ending = static_cast<int>(std::string_view(temporary_names::part).size());
        m_file = Descriptor(uninterrupted([&] { return ::mkostemps(m_name.data(), ending, O_CLOEXEC); }));
        struct stat status { };
        m_is_there = m_file.is_open()
            && ((void)::flock(m_file.get(), LOCK_EX | LOCK_NB), ::fstat(m_file.get(), &status) == 0)
            && status.st_nlink > 0;
    }

    void put_back(const fs::path &target, std::string_view before) noexcept {
        try {
            write_in_place(target, before, Before::Removed);
        } catch (const std::exception &) {
            // The disk has room for neither text. The new one stays next to the target until settle_folder() copies it.
            (void)!::truncate(target.c_str(), 0);
            m_is_there = false;
        }
    }

    fs::path m_folder;
    std::string m_name;
    Descriptor m_file;
    bool m_is_there = false;
};

/// Target of a chain of symbolic links, whether or not it exists.
fs::path end_of_links(const fs::path &path) {
    constexpr int max_links = 40; // Linux follows at most this many links
    std::error_code error;
    if (const fs::path canonical = fs::canonical(path, error); !error)
        return canonical;
    if (fs::exists(path, error))
        return path; // a /proc link, whose text is not a path
    fs::path end = path;
    for (int i = 0; i < max_links; ++i) {
        const fs::path next = fs::read_symlink(end, error);
        if (error)
            return end;
        end = folder_of(end) / next; // the operator/ yields `next` if it is absolute
    }
    errno = ELOOP;
    require(false);
    return end;
}

std::optional<struct stat> status_of(const fs::path &path) {
    struct stat status { };
    if (::stat(path.c_str(), &status) == 0)
        return status;
    require(errno == ENOENT);
    return std::nullopt;
}

/// False if the owner cannot be set (only root may give files away).
bool take_owner(int file, const struct stat &from) {
    struct stat own { };
    require(::fstat(file, &own) == 0);
    return (own.st_uid == from.st_uid && own.st_gid == from.st_gid) || ::fchown(file, from.st_uid, from.st_gid) == 0;
}

void write(const fs::path &target, std::string_view text) {
    const std::optional<struct stat> old = status_of(target);
    errno = EISDIR;
    require(!old || !S_ISDIR(old->st_mode));
    if (old && !S_ISREG(old->st_mode)) {
        write_in_place(target, text, Before::Kept);
        return;
    }
    require(!old || ::access(target.c_str(), W_OK) == 0);
    const fs::path folder = folder_of(target);
    settle_folder(folder);
    TemporaryFile temporary(folder);
    write_all(temporary.get(), text);
    const bool replaces = !old || (take_owner(temporary.get(), *old) && old->st_nlink == 1);
    require(::fchmod(temporary.get(), old ? old->st_mode & 07777 : mode_of_new_files) == 0);
    sync_file(temporary.get());
    if (replaces)
        temporary.become(target);
    else
        temporary.fill(target, old->st_ino, text);
    sync_folder(folder);
}

/// Opens an unfinished temporary file of this user that no running program has locked.
Descriptor left_file(const fs::path &path) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status { };
    const bool is_left = file.is_open() && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode)
        && status.st_uid == ::geteuid() && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
    return is_left ? std::move(file) : Descriptor(-1);
}

fs::path find_inode(const fs::path &folder, ino_t inode) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        struct stat status { };
        if (::lstat(entry->path().c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_ino == inode)
            return entry->path();
    }
    return {};
}

/// An interrupted write leaves a prefix of the new text in the target. Any other content was written later and must
/// stay.
void finish(const fs::path &whole, const fs::path &target) {
    constexpr std::size_t any_size = std::numeric_limits<std::size_t>::max();
    const std::string text = read_file(whole, any_size);
    if (!target.empty() && text.starts_with(read_file(target, any_size)))
        write_in_place(target, text, Before::Removed);
    ::unlink(whole.c_str());
}

} // namespace

void settle_folder(const fs::path &folder) noexcept {
    try {
        std::error_code error;
        for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
            const std::string name = entry->path().filename().string();
            if (!name.starts_with(temporary_names::start))
                continue;
            const bool is_part = name.ends_with(temporary_names::part);
            if (!is_part && !name.ends_with(temporary_names::whole))
                continue;
            const Descriptor held = left_file(entry->path());
            if (!held.is_open())
                continue;
            if (is_part)
                ::unlink(entry->path().c_str());
            else
                finish(entry->path(),
                       find_inode(
                           folder,
                           std::strtoull(name.c_str() + std::string_view(temporary_names::start).size(), nullptr, 10)));
        }
    } catch (const std::exception &) {
        // Unfinished files stay until there is disk space or permission.
    }
}

void write_file_atomically(const fs::path &path, std::string_view text) {
    try {
        write(end_of_links(path), text);
    } catch (const std::system_error &error) {
        throw FileError(fmt::format("{}: cannot write: {}; expected a writable location", printable(path.string()),
                                    error.code().message()));
    }
}

} // namespace meshwright
