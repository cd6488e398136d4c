// SPDX-License-Identifier: GPL-3.0-or-later
#include "copy_writer.h"

#include "input/files.h"

#include <exception>
#include <filesystem>
#include <new>
#include <utility>

namespace meshwright {

CopyWriter::CopyWriter(const QString &file, Report report)
    : m_file(file.toStdString())
    , m_report(std::move(report))
    , m_thread([this](const std::stop_token &stop) { run(stop); }) { }

CopyWriter::~CopyWriter() {
    finish();
    m_thread.request_stop();
}

void CopyWriter::write(Work work, Pace pace) {
    const std::lock_guard lock(m_mutex);
    const bool waits = m_work.has_value() && m_pace == Pace::AtOnce;
    m_work = std::move(work);
    m_pace = waits ? Pace::AtOnce : pace;
    m_changed.notify_all();
}

void CopyWriter::remove() {
    const std::lock_guard lock(m_mutex);
    m_work.reset();
    m_remove = true;
    m_changed.notify_all();
}

void CopyWriter::finish() {
    std::unique_lock lock(m_mutex);
    m_pace = Pace::AtOnce;
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return !m_busy && !m_remove && !m_work; });
}

void CopyWriter::perform(const Work &work) const {
    QString problem;
    try {
        std::filesystem::create_directories(std::filesystem::path(m_file).parent_path());
        write_file_atomically(m_file, textOf(work.copy));
    } catch (const std::bad_alloc &) {
        problem = QStringLiteral("not enough memory");
    } catch (const std::exception &error) {
        problem = QString::fromUtf8(error.what());
    }
    m_report(work.number, problem);
}

void CopyWriter::run(const std::stop_token &stop) {
    std::chrono::steady_clock::time_point next{};
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, stop, [this] { return m_remove || m_work; });
        if (!m_remove && !m_work)
            return;
        m_changed.wait_until(lock, stop, next, [this] { return m_remove || !m_work || m_pace == Pace::AtOnce; });
        const bool removes = std::exchange(m_remove, false);
        const std::optional<Work> work = std::exchange(m_work, std::nullopt);
        m_busy = true;
        lock.unlock();
        std::error_code ignored;
        if (removes)
            std::filesystem::remove(m_file, ignored);
        if (work) {
            next = std::chrono::steady_clock::now() + dragPause;
            perform(*work);
        }
        lock.lock();
        m_busy = false;
        m_changed.notify_all();
    }
}

} // namespace meshwright
