// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/sensitivity.h"
#include "evidence/evidence_set.h"
#include "evidence/run_file.h"

#include <QObject>
#include <QVector>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

namespace meshwright {

/// What is to be predicted, and for which plan it is to be said what its figures hang on.
struct EvidenceQuestion {
    std::map<std::string, double> overrides;
    QVector<RunFile> files; ///< tables of the user's own, beside the program's
    std::shared_ptr<const Result> result; ///< of the plan; null while there is none
};

/// What the model says of measured runs, and what changes the plan's step and peak.
struct EvidenceAnswer {
    EvidenceSetPointer set; ///< never null
    EvidenceSetPointer unchanged; ///< without overrides; the same as `set` where there are none
    std::vector<Influence> step;
    std::vector<Influence> memory;
    QString problem; ///< one line about a file that was left out; empty where all were read
    QString note; ///< one line on rows that were replaced; empty where none were
    QVector<RunFile> files; ///< those that were read
};

/// Predicts on a thread of its own. The latest question wins: one that waits is replaced by a newer one, and an answer
/// that is no longer wanted is dropped.
class EvidenceRunner : public QObject {
    Q_OBJECT

public:
    explicit EvidenceRunner(QObject *parent = nullptr);
    ~EvidenceRunner() override;

    void ask(const EvidenceQuestion &question);
    bool isBusy() const { return m_answered != m_asked; }

Q_SIGNALS:
    /// In the thread that this object lives in.
    void answered(const meshwright::EvidenceAnswer &answer);

private:
    struct Job {
        std::uint64_t number = 0;
        EvidenceQuestion question;
    };
    void work(const std::stop_token &ending);
    EvidenceAnswer answer(const EvidenceQuestion &question, const std::stop_token &stop);
    void readFiles(const QVector<RunFile> &files, EvidenceAnswer &answer);
    QString readFile(const RunFile &file);
    bool isLatest(std::uint64_t number) const;

    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Job> m_waiting;
    std::stop_source m_running;
    std::uint64_t m_asked = 0;
    std::uint64_t m_answered = 0; ///< only the receiving thread reads and writes it
    // What only the working thread reads and writes.
    EvidenceAnswer m_last;
    struct Read {
        RunFile file;
        std::vector<MeasuredRun> runs;
    };
    std::vector<Read> m_read; ///< files, each as it was read last
    std::shared_ptr<const EvidenceTable> m_table;
    std::jthread m_thread; ///< last: it must end before anything above goes
};

} // namespace meshwright
