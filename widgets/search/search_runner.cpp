// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search_runner.h"

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
    , m_questions([this](std::uint64_t number, const SearchQuestion &question,
                         const std::stop_token &stop) { run(number, question, stop); },
                  [this](std::uint64_t number, const SearchQuestion &) { finish(number); }) { }

void SearchRunner::ask(const SearchQuestion &question) {
    if (m_question == question)
        return;
    m_question = question;
    m_busy = true;
    m_questions.ask(question);
    setState({.running = true, .share = 0, .bestStepSeconds = 0});
}

void SearchRunner::tell(std::uint64_t number, const std::function<void()> &what) {
    QMetaObject::invokeMethod(
        this,
        [this, number, what] {
            if (m_questions.isLatest(number))
                what();
        },
        Qt::QueuedConnection);
}

void SearchRunner::finish(std::uint64_t number) {
    tell(number, [this] {
        m_busy = false;
        setState({});
    });
}

void SearchRunner::run(std::uint64_t number, const SearchQuestion &question, const std::stop_token &stop) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point last = Clock::now();
    answerQuestion(
        question, m_library, stop,
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
    finish(number);
}

void SearchRunner::setState(const SearchState &state) {
    m_state = state;
    Q_EMIT stateChanged(state);
}

} // namespace meshwright
