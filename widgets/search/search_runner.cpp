// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search_runner.h"
#include "models/work_guard.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace meshwright {

namespace {
constexpr std::chrono::milliseconds betweenReports{50};
}

SearchRunner::SearchRunner(const Library &library, QObject *parent)
    : QObject(parent)
    , m_library(library)
    , m_thread([this](const std::stop_token &ending) { work(ending); }) { }

SearchRunner::~SearchRunner() {
    const std::lock_guard lock(m_mutex);
    m_running.request_stop();
    m_thread.request_stop();
}

void SearchRunner::ask(const SearchQuestion &question) {
    if (m_question == question)
        return;
    m_question = question;
    ++m_asked;
    m_busy = true;
    {
        const std::lock_guard lock(m_mutex);
        m_waiting = Job{m_asked, question};
        m_running.request_stop();
        m_wake.notify_one();
    }
    setState({.running = true, .share = 0, .bestStepSeconds = 0});
}

void SearchRunner::cancel() {
    const std::lock_guard lock(m_mutex);
    m_running.request_stop();
}

void SearchRunner::work(const std::stop_token &ending) {
    while (!ending.stop_requested()) {
        Job job;
        std::stop_token stop;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, ending, [this] { return m_waiting.has_value(); }))
                return;
            job = std::move(*std::exchange(m_waiting, std::nullopt));
            m_running = std::stop_source();
            stop = m_running.get_token();
        }
        if (!guarded([&] { run(job, stop); }))
            tell(job.number, [this] {
                m_busy = false;
                setState({});
            });
    }
}

void SearchRunner::tell(std::uint64_t number, const std::function<void()> &what) {
    QMetaObject::invokeMethod(
        this,
        [this, number, what] {
            if (number == m_asked)
                what();
        },
        Qt::QueuedConnection);
}

void SearchRunner::run(const Job &job, const std::stop_token &stop) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point last = Clock::now();
    const std::uint64_t number = job.number;
    answerQuestion(
        job.question, m_library, stop,
        [&](const SearchProgress &progress) {
            if (Clock::now() - last < betweenReports)
                return;
            last = Clock::now();
            const SearchState state{.running = true,
                                    .share = static_cast<double>(progress.considered)
                                        / std::max(1.0, static_cast<double>(progress.layouts)),
                                    .bestStepSeconds = progress.best_step_seconds};
            tell(number, [this, state] { setState(state); });
        },
        [&](const SearchAnswerPointer &answer) { tell(number, [this, answer] { Q_EMIT answered(answer); }); });
    tell(number, [this] {
        m_busy = false;
        setState({});
    });
}

void SearchRunner::setState(const SearchState &state) {
    m_state = state;
    Q_EMIT stateChanged(state);
}

} // namespace meshwright
