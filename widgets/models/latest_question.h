// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/work_guard.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace meshwright {

/// Answers questions on its own thread. Only the latest question counts: a new question asks the running one to stop
/// and replaces a waiting one. Exceptions become notices, and the thread continues.
template <typename Question>
class LatestQuestion {
public:
    /// Called on the worker thread. Questions are numbered from 1.
    using Work = std::function<void(std::uint64_t number, const Question &, const std::stop_token &)>;
    /// Called on the worker thread when Work has thrown, after the notice.
    using Failed = std::function<void(std::uint64_t number, const Question &)>;

    LatestQuestion(Work work, Failed failed)
        : m_work(std::move(work))
        , m_failed(std::move(failed))
        , m_thread([this](const std::stop_token &ending) { run(ending); }) { }
    ~LatestQuestion() {
        stop();
        m_thread.request_stop();
    }
    LatestQuestion(const LatestQuestion &) = delete;
    LatestQuestion &operator=(const LatestQuestion &) = delete;

    std::uint64_t ask(Question question) {
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
        m_stop = std::stop_source();
        m_waiting = std::move(question);
        m_wake.notify_one();
        return ++m_asked;
    }
    /// Asks the latest question to stop, even if it has not started.
    void stop() {
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
    }
    /// Withdraws the latest question. Its number is then no longer the latest.
    /// @returns the number that is now the latest
    std::uint64_t cancel() {
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
        m_waiting.reset();
        return ++m_asked;
    }
    bool isLatest(std::uint64_t number) const {
        const std::lock_guard lock(m_mutex);
        return number == m_asked;
    }
    std::uint64_t asked() const {
        const std::lock_guard lock(m_mutex);
        return m_asked;
    }
    std::uint64_t begun() const {
        const std::lock_guard lock(m_mutex);
        return m_begun;
    }

private:
    void run(const std::stop_token &ending) {
        while (!ending.stop_requested()) {
            std::optional<Question> question;
            std::uint64_t number = 0;
            std::stop_token stop;
            {
                std::unique_lock lock(m_mutex);
                if (!m_wake.wait(lock, ending, [this] { return m_waiting.has_value(); }))
                    return;
                question = std::exchange(m_waiting, std::nullopt);
                number = m_asked;
                stop = m_stop.get_token();
                ++m_begun;
            }
            if (!guarded([&] { m_work(number, *question, stop); }) && !ending.stop_requested())
                guarded([&] { m_failed(number, *question); });
        }
    }

    Work m_work;
    Failed m_failed;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::stop_source m_stop;
    std::optional<Question> m_waiting;
    std::uint64_t m_asked = 0;
    std::uint64_t m_begun = 0;
    /// Declared last, so that its thread stops before the other members are destroyed.
    std::jthread m_thread;
};

} // namespace meshwright
