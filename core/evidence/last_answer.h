// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>

namespace meshwright {

/// Caches the last answer, because consecutive rows of a table of measured runs often ask the same question. A
/// thread_local cache needs no lock.
template <typename Question, typename Answer>
class LastAnswer {
public:
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
