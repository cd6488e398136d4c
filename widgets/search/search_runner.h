// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_question.h"
#include "search/search_answer.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <optional>

namespace meshwright {

/// How far the search that runs is.
struct SearchState {
    bool running = false;
    double share = 0; ///< of the space, 0 to 1
    double bestStepSeconds = 0; ///< 0: none so far
};

/// Searches on a thread of its own. The latest question wins, and answers to older ones are dropped.
class SearchRunner : public QObject {
    Q_OBJECT

public:
    explicit SearchRunner(const Library &library, QObject *parent = nullptr);

    /// Asking what is being answered, or has been, changes nothing.
    void ask(const SearchQuestion &question);
    /// Stops what runs; what has been found stays.
    void cancel() { m_questions.stop(); }
    bool isBusy() const { return m_busy; }
    const SearchState &state() const { return m_state; }

Q_SIGNALS:
    // In the thread that this object lives in.
    void answered(const meshwright::SearchAnswerPointer &answer);
    void stateChanged(const meshwright::SearchState &state);

private:
    void run(std::uint64_t number, const SearchQuestion &question, const std::stop_token &stop);
    void finish(std::uint64_t number);
    void setState(const SearchState &state);
    void tell(std::uint64_t number, const std::function<void()> &what);

    const Library &m_library;
    // Only the thread that this object lives in reads and writes these.
    std::optional<SearchQuestion> m_question;
    SearchState m_state;
    bool m_busy = false;
    LatestQuestion<SearchQuestion> m_questions; ///< last: its thread ends before anything above goes
};

} // namespace meshwright
