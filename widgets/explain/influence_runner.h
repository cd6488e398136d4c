// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/sensitivity.h"

#include <QObject>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace meshwright {

/// Varies the inputs of a plan on a thread of its own. The latest question wins: one that is under way is stopped, and
/// an answer that is no longer wanted is dropped.
class InfluenceRunner : public QObject {
    Q_OBJECT

public:
    explicit InfluenceRunner(QObject *parent = nullptr);
    ~InfluenceRunner() override;

    /// @param figure  name of its explanation
    void ask(std::shared_ptr<const Result> result, std::string figure);
    /// No answer is wanted any more.
    void forget();
    bool isBusy() const { return m_answered != m_asked; }

Q_SIGNALS:
    /// In the thread that this object lives in.
    void answered(const std::vector<meshwright::Influence> &influences);

private:
    struct Question {
        std::uint64_t number = 0;
        std::shared_ptr<const Result> result;
        std::string figure;
        std::stop_token stop;
    };
    void work(const std::stop_token &ending);

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Question> m_waiting;
    std::stop_source m_stop; ///< of the latest question
    std::uint64_t m_asked = 0; ///< only the thread that asks reads and writes it, as the next
    std::uint64_t m_answered = 0;
    std::jthread m_thread; ///< last: it must end before anything above goes
};

} // namespace meshwright
