// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/sensitivity.h"
#include "evidence/evidence_set.h"
#include "evidence/run_file.h"
#include "models/latest_worker.h"

#include <QObject>
#include <QVector>

#include <map>
#include <memory>
#include <string>
#include <vector>

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

/// Predicts on a thread of its own; the latest question wins.
class EvidenceRunner : public QObject {
    Q_OBJECT

public:
    explicit EvidenceRunner(QObject *parent = nullptr);

    void ask(const EvidenceQuestion &question) { m_worker.ask(question); }
    bool isBusy() const { return m_worker.isBusy(); }

Q_SIGNALS:
    /// In the thread that this object lives in.
    void answered(const meshwright::EvidenceAnswer &answer);

private:
    EvidenceAnswer answer(const EvidenceQuestion &question, const std::stop_token &stop);
    void readFiles(const QVector<RunFile> &files, EvidenceAnswer &answer);
    QString readFile(const RunFile &file);

    // What only the working thread reads and writes.
    EvidenceAnswer m_last;
    struct Read {
        RunFile file;
        std::vector<MeasuredRun> runs;
    };
    std::vector<Read> m_read; ///< files, each as it was read last
    std::shared_ptr<const EvidenceTable> m_table;
    LatestWorker<EvidenceQuestion, EvidenceAnswer> m_worker; ///< last: its thread ends before anything above goes
};

} // namespace meshwright
