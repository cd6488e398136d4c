// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/files.h"

#include "input/descriptor.h"
#include "input/diagnostic.h"
#include "input/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace meshwright {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_reading(const fs::path &path) {
    throw FileError(printable(path.string()) + ": cannot be read; expected an existing, readable file");
}

} // namespace

std::string read_file(const fs::path &path, std::size_t most) {
    std::error_code error;
    if (fs::is_directory(path, error))
        throw FileError(printable(path.string()) + ": is a directory; expected a file");
    const Descriptor file(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
    struct stat status { };
    if (!file.is_open() || ::fstat(file.get(), &status) != 0 || !(S_ISREG(status.st_mode) || S_ISCHR(status.st_mode)))
        refuse_reading(path);
    const auto too_large = [most] {
        return InputError("", fmt::format("the file is larger than {} MiB", most >> 20),
                          fmt::format("expected at most {} MiB", most >> 20));
    };
    if (status.st_size > 0 && static_cast<std::size_t>(status.st_size) > most)
        throw too_large();
    // Some files (as in /proc) report size 0 although they have content, and a file may grow while it is read.
    std::string text(std::max<std::size_t>(static_cast<std::size_t>(status.st_size) + 1, 4096), '\0');
    std::size_t filled = 0;
    for (;;) {
        const ssize_t now =
            uninterrupted([&] { return ::read(file.get(), text.data() + filled, text.size() - filled); });
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
    constexpr int patience = 800; // maximum milliseconds to wait for a writer to open the pipe
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
            // End of file before the first byte means that no writer has opened the pipe yet.
            pollfd waiting{pipe.get(), POLLIN, 0};
            if (::poll(&waiting, 1, patience) == 0)
                throw FileError(printable(path.string())
                                + ": the pipe has no writer; expected a file or a pipe with a writer");
            has_writer = true;
        }
    }
    return text;
}

} // namespace meshwright
