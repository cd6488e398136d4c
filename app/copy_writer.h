// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "recovery_copy.h"

#include <QString>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace meshwright {

/// Writes recovery copies in its own thread. The event loop never waits for the disk, and copies are written even while
/// the loop is busy. If copies arrive faster than they can be written, only the newest is written.
class CopyWriter {
public:
    enum class Pace {
        AtOnce,
        NowAndThen, ///< pauses between writes, to limit disk writes during a drag
    };
    struct Work {
        RecoveryCopy copy;
        int number = 0;
    };
    /// Called in the writer's thread. `problem` is empty if the copy is on disk.
    using Report = std::function<void(int number, const QString &problem)>;

    CopyWriter(const QString &file, Report report);
    /// Writes a pending copy before returning.
    ~CopyWriter();
    CopyWriter(const CopyWriter &) = delete;
    CopyWriter &operator=(const CopyWriter &) = delete;

    void write(Work work, Pace pace);
    /// Removes the file and discards pending writes.
    void remove();
    /// Writes everything without delays and returns when done.
    void finish();

    /// Minimum time between two writes during a drag.
    static constexpr std::chrono::milliseconds dragPause{100};

private:
    void run(const std::stop_token &stop);
    void perform(const Work &work) const;

    std::string m_file;
    Report m_report;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::optional<Work> m_work;
    Pace m_pace = Pace::AtOnce;
    bool m_remove = false;
    bool m_busy = false;
    std::jthread m_thread; ///< last member, because its thread uses all members above
};

} // namespace meshwright
