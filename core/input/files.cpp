// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/files.h"

#include "input/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace meshwright {

namespace {

namespace fs = std::filesystem;

mode_t process_mask() noexcept {
    const mode_t mask = ::umask(0); // there is no other way to ask
    ::umask(mask);
    return mask;
}
/// Asked before there is a second thread.
const mode_t mode_of_new_files = 0666 & ~process_mask();

[[noreturn]] void refuse_reading(const fs::path &path) {
    throw FileError(path.string() + ": cannot be read; an existing readable file is expected");
}

[[noreturn]] void refuse_writing(const fs::path &path) {
    throw FileError(path.string() + ": cannot be written; a writable place is expected");
}

/// An open file, closed with it.
class Descriptor {
public:
    explicit Descriptor(int descriptor)
        : m_descriptor(descriptor) { }
    ~Descriptor() {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int get() const { return m_descriptor; }
    bool is_open() const { return m_descriptor >= 0; }
    bool close() { return ::close(std::exchange(m_descriptor, -1)) == 0; }

private:
    int m_descriptor;
};

bool write_all(int file, std::string_view text) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t now = ::write(file, text.data() + done, text.size() - done);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            return false;
        done += static_cast<std::size_t>(now);
    }
    return true;
}

void sync_folder(const fs::path &folder) {
    const Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (open.is_open())
        (void)::fsync(open.get()); // some file systems cannot, and need not
}

constexpr std::string_view part_suffix = ".part";
constexpr std::size_t random_letters = 6;

fs::path folder_of(const fs::path &path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Temporary files of this target that no living program holds.
void remove_left_parts(const fs::path &target) {
    const std::string start = target.filename().string() + ".";
    std::error_code error;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder_of(target), error)) {
        const std::string name = entry.path().filename().string();
        if (name.size() != start.size() + random_letters + part_suffix.size() || !name.starts_with(start)
            || !name.ends_with(part_suffix))
            continue;
        const Descriptor left(::open(entry.path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        if (left.is_open() && ::flock(left.get(), LOCK_EX | LOCK_NB) == 0)
            ::unlink(entry.path().c_str());
    }
}

/// A file of a name that nobody could foresee, private until it has the target's mode, held while it lives and removed
/// unless it was renamed.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path &target)
        : m_name(target.string() + "." + std::string(random_letters, 'X') + std::string(part_suffix))
        , m_file(::mkostemps(m_name.data(), static_cast<int>(part_suffix.size()), O_CLOEXEC)) {
        if (m_file.is_open())
            (void)::flock(m_file.get(), LOCK_EX | LOCK_NB);
    }
    ~TemporaryFile() {
        if (m_is_there)
            ::unlink(m_name.c_str());
    }
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;

    bool hold(std::string_view text, mode_t mode) {
        m_is_there = m_file.is_open();
        return m_is_there && write_all(m_file.get(), text) && ::fchmod(m_file.get(), mode) == 0
            && ::fsync(m_file.get()) == 0;
    }
    bool become(const fs::path &target) {
        if (!m_is_there || std::rename(m_name.c_str(), target.c_str()) != 0)
            return false;
        m_is_there = false;
        return true;
    }

private:
    std::string m_name;
    Descriptor m_file;
    bool m_is_there = false;
};

bool write_in_place(const fs::path &path, std::string_view text, int flags) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | flags));
    if (!file.is_open() || !write_all(file.get(), text))
        return false;
    (void)::fsync(file.get()); // devices cannot
    return file.close();
}

} // namespace

std::string read_file(const fs::path &path, std::size_t most) {
    std::error_code error;
    if (fs::is_directory(path, error))
        throw FileError(path.string() + ": is a directory; a file is expected");
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status { };
    if (!file.is_open() || ::fstat(file.get(), &status) != 0 || !(S_ISREG(status.st_mode) || S_ISCHR(status.st_mode)))
        refuse_reading(path);
    const auto too_large = [most] {
        return InputError("", fmt::format("the file is larger than {} MiB", most >> 20),
                          fmt::format("at most {} MiB are expected", most >> 20));
    };
    if (status.st_size > 0 && static_cast<std::size_t>(status.st_size) > most)
        throw too_large();
    // Some files say that they are empty and are not; and one may grow while it is read.
    std::string text(std::max<std::size_t>(static_cast<std::size_t>(status.st_size) + 1, 4096), '\0');
    std::size_t filled = 0;
    for (;;) {
        const ssize_t now = ::read(file.get(), text.data() + filled, text.size() - filled);
        if (now < 0 && errno == EINTR)
            continue;
        if (now < 0)
            refuse_reading(path);
        if (now == 0)
            break;
        filled += static_cast<std::size_t>(now);
        if (filled > most)
            throw too_large();
        if (filled == text.size())
            text.resize(2 * filled);
    }
    text.resize(filled);
    return text;
}

bool is_pipe(const fs::path &path) {
    struct stat status { };
    return ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

std::string read_pipe(const fs::path &path) {
    constexpr int patience = 800; // milliseconds
    const Descriptor pipe(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!pipe.is_open())
        refuse_reading(path);
    std::string text;
    std::string piece(1 << 16, '\0');
    bool has_writer = false;
    while (text.size() <= largest_input_bytes) {
        const ssize_t got = ::read(pipe.get(), piece.data(), piece.size());
        if (got > 0) {
            text.append(piece, 0, static_cast<std::size_t>(got));
            has_writer = true;
        } else if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            has_writer = true;
            pollfd waiting{pipe.get(), POLLIN, 0};
            ::poll(&waiting, 1, -1);
        } else if (got < 0 || has_writer) {
            break;
        } else {
            // Nobody has opened the other end yet.
            pollfd waiting{pipe.get(), POLLIN, 0};
            if (::poll(&waiting, 1, patience) == 0)
                throw FileError(path.string()
                                + ": nobody writes to this pipe; a file or a pipe with a writer is expected");
            has_writer = true;
        }
    }
    return text;
}

void write_file_atomically(const fs::path &path, std::string_view text) {
    std::error_code error;
    const fs::path canonical = fs::canonical(path, error); // through links, where there is something
    const fs::path target = error ? path : canonical;
    struct stat status { };
    const bool is_there = ::stat(target.c_str(), &status) == 0;
    if (is_there && S_ISDIR(status.st_mode))
        refuse_writing(path);
    if (is_there && !S_ISREG(status.st_mode)) {
        if (!write_in_place(target, text, 0))
            refuse_writing(path);
        return;
    }
    if (is_there && ::access(target.c_str(), W_OK) != 0)
        refuse_writing(path);
    remove_left_parts(target);
    TemporaryFile temporary(target);
    if (!temporary.hold(text, is_there ? status.st_mode & 07777 : mode_of_new_files))
        refuse_writing(path);
    const bool written =
        is_there && status.st_nlink > 1 ? write_in_place(target, text, O_TRUNC) : temporary.become(target);
    if (!written)
        refuse_writing(path);
    sync_folder(folder_of(target));
}

} // namespace meshwright
