// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/evidence_set.h"
#include "evidence/run_file.h"
#include "models/latest_worker.h"
#include "sensitivity/sensitivity.h"

#include <QObject>
#include <QVector>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace meshwright {

/// Constants for predicting the measured runs, and the plan whose influences are calculated.
struct EvidenceQuestion {
    std::map<std::string, double> overrides;
    QVector<RunFile> files; ///< the user's own files, in addition to the program's table
    std::shared_ptr<const Result> result; ///< result of the plan; null until there is one
};

/// Predictions of the measured runs, and the influences on step time and peak memory of the plan.
struct EvidenceAnswer {
    EvidenceSetPointer set; ///< never null
    EvidenceSetPointer unchanged; ///< evidence without overrides; the same as `set` if there are none
    std::vector<Influence> step;
    std::vector<Influence> memory;
    QString problem; ///< which file could not be read and why, in one line; empty if all were read
    QString note; ///< which rows were replaced, in one line; empty if none were
    QVector<RunFile> files;
};

class EvidenceRunner : public QObject {
    Q_OBJECT

public:
    explicit EvidenceRunner(QObject *parent = nullptr);

    void ask(const EvidenceQuestion &question) { m_worker.ask(question); }
    bool isBusy() const { return m_worker.isBusy(); }

Q_SIGNALS:
    /// Emitted in the thread of this object.
    void answered(const meshwright::EvidenceAnswer &answer);

private:
    EvidenceAnswer answer(const EvidenceQuestion &question, const std::stop_token &stop);
    void readFiles(const QVector<RunFile> &files, EvidenceAnswer &answer);
    QString readFile(const RunFile &file);

    // The members below are accessed only by the worker thread.
    EvidenceAnswer m_last;
    struct Read {
        RunFile file;
        std::vector<MeasuredRun> runs;
    };
    std::vector<Read> m_read; ///< files, with the rows last read from each
    std::shared_ptr<const EvidenceTable> m_table;
    /// Declared last, so that its thread stops before the other members are destroyed.
    LatestWorker<EvidenceQuestion, EvidenceAnswer> m_worker;
};

} // namespace meshwright
