// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/file_beginning.h"

#include "input/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace meshwright {

std::string beginning_of_file(const std::filesystem::path &path, std::size_t most) {
    const Descriptor file(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
    struct stat status { };
    if (!file.is_open() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
        return {};
    std::string text(most, '\0');
    std::size_t filled = 0;
    while (filled < most) {
        const ssize_t now = uninterrupted([&] { return ::read(file.get(), text.data() + filled, most - filled); });
        if (now <= 0)
            break;
        filled += static_cast<std::size_t>(now);
    }
    text.resize(filled);
    return text;
}

} // namespace meshwright
