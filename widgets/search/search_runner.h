// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/search_answer.h"

#include <QObject>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

namespace meshwright {

/// How far the search that runs is.
struct SearchState {
    bool running = false;
    double share = 0; ///< of the space, 0 to 1
    double bestStepSeconds = 0; ///< 0: none so far
};

/// Searches on a thread of its own. The latest question wins: it stops the one that runs, takes the place of one that
/// waits, and answers to older ones are dropped.
class SearchRunner : public QObject {
    Q_OBJECT

public:
    explicit SearchRunner(const Library &library, QObject *parent = nullptr);
    ~SearchRunner() override;

    /// Asking what is being answered, or has been, changes nothing.
    void ask(const SearchQuestion &question);
    /// Stops what runs; what has been found stays.
    void cancel();
    bool isBusy() const { return m_busy; }
    const SearchState &state() const { return m_state; }

Q_SIGNALS:
    // In the thread that this object lives in.
    void answered(const meshwright::SearchAnswerPointer &answer);
    void stateChanged(const meshwright::SearchState &state);

private:
    struct Job {
        std::uint64_t number = 0;
        SearchQuestion question;
    };
    void work(const std::stop_token &ending);
    void run(const Job &job, const std::stop_token &stop);
    void setState(const SearchState &state);
    void tell(std::uint64_t number, const std::function<void()> &what);

    const Library &m_library;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Job> m_waiting;
    std::stop_source m_running;
    // Only the thread that this object lives in reads and writes these.
    std::optional<SearchQuestion> m_question;
    std::uint64_t m_asked = 0;
    SearchState m_state;
    bool m_busy = false;
    std::jthread m_thread; ///< last: it must end before anything above goes
};

} // namespace meshwright
