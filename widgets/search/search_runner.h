// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_question.h"
#include "search/search_answer.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <optional>

namespace meshwright {

struct SearchState {
    bool running = false;
    double share = 0; ///< fraction of the search space considered, 0 to 1
    double bestStepSeconds = 0; ///< 0 if no configuration has been found yet
};

/// Searches on a worker thread. A new question replaces the previous one, and answers to the previous one are dropped.
class SearchRunner : public QObject {
    Q_OBJECT

public:
    explicit SearchRunner(const Library &library, QObject *parent = nullptr);

    /// Does nothing if the question is already being answered or has been answered.
    void ask(const SearchQuestion &question);
    /// Stops the search. Results found so far stay.
    void cancel() { m_questions.stop(); }
    bool isBusy() const { return m_busy; }
    const SearchState &state() const { return m_state; }

Q_SIGNALS:
    // Emitted in the thread of this object.
    void answered(const meshwright::SearchAnswerPointer &answer);
    void stateChanged(const meshwright::SearchState &state);

private:
    void run(std::uint64_t number, const SearchQuestion &question, const std::stop_token &stop);
    void finish(std::uint64_t number);
    void setState(const SearchState &state);
    void tell(std::uint64_t number, const std::function<void()> &what);

    const Library &m_library;
    // Only this object's thread uses the following members.
    std::optional<SearchQuestion> m_question;
    SearchState m_state;
    bool m_busy = false;
    /// Last member, so that its thread ends before the other members are destroyed.
    LatestQuestion<SearchQuestion> m_questions;
};

} // namespace meshwright
