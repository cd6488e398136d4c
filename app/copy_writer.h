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

/// Writes recovery copies in a thread of its own, which neither waits for the window's loop of events nor lets it wait
/// for a disk. Of copies that come faster than they can be written the newest is.
class CopyWriter {
public:
    enum class Pace {
        AtOnce,
        NowAndThen, ///< of a drag, which shall not keep the disk busy
    };
    struct Work {
        RecoveryCopy copy;
        int number = 0; ///< counts up
    };
    /// Called in the writer's thread. @param problem  empty where the copy is on the disk
    using Report = std::function<void(int number, const QString &problem)>;

    CopyWriter(const QString &file, Report report);
    /// Finishes what it has been given.
    ~CopyWriter();
    CopyWriter(const CopyWriter &) = delete;
    CopyWriter &operator=(const CopyWriter &) = delete;

    void write(Work work, Pace pace);
    /// Removes the file, and forgets what was not written yet.
    void remove();
    /// Returns when there is nothing to do, with nothing held back.
    void finish();

    /// Between the beginnings of two writes of a drag.
    static constexpr std::chrono::milliseconds dragPause{100};

private:
    void run(const std::stop_token &stop);
    void perform(const Work &work) const;

    std::string m_file;
    Report m_report;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::optional<Work> m_work; ///< not begun yet
    Pace m_pace = Pace::AtOnce;
    bool m_remove = false; ///< before the work
    bool m_busy = false;
    std::jthread m_thread; ///< last: it uses all of the above
};

} // namespace meshwright
