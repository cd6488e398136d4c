// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/stop_scope.h"
#include "models/latest_question.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <utility>

namespace meshwright {

/// Answers the latest question on its own thread and drops answers to earlier ones. Work that throws yields a notice
/// instead of an answer.
template <typename Question, typename Answer>
class LatestWorker {
public:
    using Work = std::function<Answer(const Question &, const std::stop_token &)>;
    using Receive = std::function<void(const Answer &)>;

    /// @param receiver  object in whose thread answers are delivered; must outlive the worker
    LatestWorker(QObject *receiver, Work work, Receive receive)
        : m_receiver(receiver)
        , m_work(std::move(work))
        , m_receive(std::move(receive))
        , m_questions(
              [this](std::uint64_t number, const Question &question, const std::stop_token &stop) {
                  const StopScope scope(stop);
                  tell(number, m_work(question, stop));
              },
              [this](std::uint64_t number, const Question &) { tell(number, std::nullopt); }) { }

    void ask(const Question &question) { m_questions.ask(question); }
    void cancel() { m_answered = m_questions.cancel(); }
    bool isBusy() const { return !m_questions.isLatest(m_answered); }

private:
    void tell(std::uint64_t number, std::optional<Answer> answer) {
        if (!m_questions.isLatest(number))
            return;
        QMetaObject::invokeMethod(
            m_receiver,
            [this, number, answer = std::move(answer)] {
                if (!m_questions.isLatest(number))
                    return;
                m_answered = number;
                if (answer)
                    m_receive(*answer);
            },
            Qt::QueuedConnection);
    }

    QObject *m_receiver;
    Work m_work;
    Receive m_receive;
    std::uint64_t m_answered = 0; ///< accessed only from the receiver's thread
    /// Declared last, so that its thread stops before the other members are destroyed.
    LatestQuestion<Question> m_questions;
};

} // namespace meshwright
