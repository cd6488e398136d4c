// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaObject>
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

/// Answers questions on a thread of its own. The latest question wins: one that waits is replaced by a newer one, and
/// an answer that is no longer wanted is dropped.
template <typename Question, typename Answer>
class LatestWorker {
public:
    /// Whether the answer is still wanted: long work asks now and then.
    using Wanted = std::function<bool()>;
    using Work = std::function<Answer(const Question &, const Wanted &)>;
    using Deliver = std::function<void(const Answer &)>;

    /// @param receiver  outlives this; `deliver` runs in its thread
    LatestWorker(QObject *receiver, Work work, Deliver deliver)
        : m_receiver(receiver)
        , m_work(std::move(work))
        , m_deliver(std::move(deliver))
        , m_thread([this](const std::stop_token &ending) { run(ending); }) { }
    ~LatestWorker() {
        m_thread.request_stop();
        m_wake.notify_all();
    }
    LatestWorker(const LatestWorker &) = delete;
    LatestWorker &operator=(const LatestWorker &) = delete;

    void ask(const Question &question) {
        const std::lock_guard lock(m_mutex);
        m_waiting.emplace(++m_asked, question);
        m_wake.notify_one();
    }
    /// Asked for in the receiver's thread.
    bool isBusy() const { return m_answered != m_asked; }

private:
    bool isLatest(std::uint64_t number) const {
        const std::lock_guard lock(m_mutex);
        return number == m_asked;
    }

    void run(const std::stop_token &ending) {
        while (!ending.stop_requested()) {
            std::pair<std::uint64_t, Question> job;
            {
                std::unique_lock lock(m_mutex);
                if (!m_wake.wait(lock, ending, [this] { return m_waiting.has_value(); }))
                    return;
                job = std::move(*std::exchange(m_waiting, std::nullopt));
            }
            const std::uint64_t number = job.first;
            Answer answer =
                m_work(job.second, [this, &ending, number] { return !ending.stop_requested() && isLatest(number); });
            if (ending.stop_requested() || !isLatest(number))
                continue;
            QMetaObject::invokeMethod(
                m_receiver,
                [this, number, answer = std::move(answer)] {
                    if (!isLatest(number))
                        return;
                    m_answered = number;
                    m_deliver(answer);
                },
                Qt::QueuedConnection);
        }
    }

    QObject *m_receiver;
    Work m_work;
    Deliver m_deliver;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<std::pair<std::uint64_t, Question>> m_waiting;
    std::uint64_t m_asked = 0;
    std::uint64_t m_answered = 0; ///< only the receiving thread reads and writes it
    std::jthread m_thread; ///< last: it must end before anything above goes
};

} // namespace meshwright
