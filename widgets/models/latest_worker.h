// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/work_guard.h"

#include <QObject>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace meshwright {

/// Answers questions on a thread of its own. The latest question wins: the one at work is told to stop, one that waits
/// is replaced, and an answer that is no longer wanted is dropped. Work that throws has no answer, but a notice.
template <typename Question, typename Answer>
class LatestWorker {
public:
    using Work = std::function<Answer(const Question &, const std::stop_token &)>;
    using Receive = std::function<void(const Answer &)>;

    /// @param receiver  in whose thread answers are received; outlives this
    LatestWorker(QObject *receiver, Work work, Receive receive)
        : m_receiver(receiver)
        , m_work(std::move(work))
        , m_receive(std::move(receive))
        , m_thread([this](const std::stop_token &ending) { run(ending); }) { }
    ~LatestWorker() {
        cancel();
        m_thread.request_stop();
        m_wake.notify_all();
    }
    LatestWorker(const LatestWorker &) = delete;
    LatestWorker &operator=(const LatestWorker &) = delete;

    void ask(const Question &question) {
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
        m_stop = std::stop_source();
        m_waiting = question;
        ++m_asked;
        m_wake.notify_one();
    }
    void cancel() {
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
        m_waiting.reset();
        m_answered = ++m_asked;
    }
    bool isBusy() const { return m_answered != m_asked; }

private:
    bool isLatest(std::uint64_t number) const {
        const std::lock_guard lock(m_mutex);
        return number == m_asked;
    }

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
            }
            std::optional<Answer> answer;
            guarded([&] { answer.emplace(m_work(*question, stop)); });
            if (ending.stop_requested() || !isLatest(number))
                continue;
            QMetaObject::invokeMethod(
                m_receiver,
                [this, number, answer = std::move(answer)] {
                    if (!isLatest(number))
                        return;
                    m_answered = number;
                    if (answer)
                        m_receive(*answer);
                },
                Qt::QueuedConnection);
        }
    }

    QObject *m_receiver;
    Work m_work;
    Receive m_receive;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::stop_source m_stop;
    std::optional<Question> m_waiting;
    std::uint64_t m_asked = 0;
    std::uint64_t m_answered = 0; ///< only the receiver's thread reads and writes it
    std::jthread m_thread; ///< last: it must end before anything above goes
};

} // namespace meshwright
