// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>

namespace meshwright {

/// Keeps the last answer: the rows of a table of measured runs ask the same many times in a row. One for each thread
/// (thread_local) needs no lock.
template <typename Question, typename Answer>
class LastAnswer {
public:
    /// @param work  answers a question that is not the last one
    template <typename Work>
    const Answer &of(const Question &question, const Work &work) {
        if (!m_last || m_last->first != question)
            m_last.emplace(question, work(question));
        return m_last->second;
    }

private:
    std::optional<std::pair<Question, Answer>> m_last;
};

} // namespace meshwright
