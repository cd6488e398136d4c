// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/result_lines.h"

#include "input/diagnostic.h"
#include "input/files.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// A file opened for appending and locked, so that lines of several processes do not mix.
class LockedFile {
public:
    explicit LockedFile(const std::string &file)
        : m_name(file)
        , m_descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666)) {
        struct stat status = {};
        if (m_descriptor < 0 || ::fstat(m_descriptor, &status) != 0 || !S_ISREG(status.st_mode)
            || ::flock(m_descriptor, LOCK_EX) != 0) {
            close();
            fail();
        }
    }
    ~LockedFile() { close(); }
    LockedFile(const LockedFile &) = delete;
    LockedFile &operator=(const LockedFile &) = delete;

    /// A killed process may have left an incomplete line.
    bool endsInsideLine() const {
        const off_t size = ::lseek(m_descriptor, 0, SEEK_END);
        char last = '\n';
        return size > 0 && ::pread(m_descriptor, &last, 1, size - 1) == 1 && last != '\n';
    }

    void append(const std::string &text) const {
        for (std::size_t done = 0; done < text.size();) {
            const ssize_t written = ::write(m_descriptor, text.data() + done, text.size() - done);
            if (written < 0 && errno == EINTR)
                continue;
            if (written <= 0)
                fail();
            done += static_cast<std::size_t>(written);
        }
    }

private:
    [[noreturn]] void fail() const {
        throw FileError(m_name + ": cannot be written; expected a regular file on a disk with free space");
    }
    void close() const {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }

    std::string m_name;
    int m_descriptor;
};

/// Whether a line is complete and unedited; otherwise the search is repeated.
bool isWhole(const Json &result) {
    try {
        check_search_result(result);
        return true;
    } catch (const InputError &) {
        return false;
    }
}

} // namespace

ResultLines readResultLines(const std::string &file) {
    constexpr std::size_t most = 256u << 20; // size limit for a sweep's file; one line takes a few kilobytes
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        return {};
    return result_lines(read_file(file, most));
}

std::optional<Json> findResultLine(const std::string &file, const std::string &key, const Shard &shard) {
    for (Json &result : readResultLines(file).results) {
        if (!result.is_object() || !result.contains("key") || result["key"] != key || !result.contains("shard"))
            continue;
        if (result["shard"] == Json{{"index", shard.index}, {"count", shard.count}} && isWhole(result))
            return std::move(result);
    }
    return std::nullopt;
}

void appendResultLine(const std::string &file, const Json &result) {
    const LockedFile locked(file);
    locked.append((locked.endsInsideLine() ? "\n" : "") + result.dump(-1, ' ', false, Json::error_handler_t::replace)
                  + "\n");
}

} // namespace meshwright
