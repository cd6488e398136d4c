// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edit_command.h"
#include "evaluate/evaluate.h"

#include <QObject>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

namespace meshwright {

class Library;

/// One document's answer. It comes twice: the numbers at once, then everything with the evaluated fixes.
struct Evaluation {
    std::uint64_t revision = 0;
    Outcome outcome;
    bool complete = false;
    double milliseconds = 0;
};

/// Evaluates documents on a thread of its own. The latest wins: a newer document takes the place of one that waits and
/// stops one that is looking for fixes, and answers of older revisions are dropped. The numbers of a document that has
/// begun are always finished, so that a long drag shows every stage that there is time for and never starves.
class PlanEvaluator : public QObject {
    Q_OBJECT

public:
    explicit PlanEvaluator(const Library &library, QObject *parent = nullptr);
    ~PlanEvaluator() override;

    /// Returns the revision under which the answer will come.
    std::uint64_t submit(DocumentPointer document);
    /// Evaluations begun so far, for tests.
    std::uint64_t started() const;

Q_SIGNALS:
    /// In the thread that this object lives in.
    void evaluated(const meshwright::Evaluation &evaluation);

private:
    struct Job {
        std::uint64_t revision = 0;
        DocumentPointer document;
    };
    void work(const std::stop_token &ending);
    void evaluate(const Job &job, const std::stop_token &stop);
    void publish(Evaluation evaluation);

    const Library &m_library;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Job> m_waiting;
    std::stop_source m_running;
    std::uint64_t m_revision = 0;
    std::uint64_t m_started = 0;
    std::uint64_t m_published = 0; ///< only the receiving thread reads and writes it
    std::jthread m_thread; ///< last: it must end before anything above goes
};

} // namespace meshwright
