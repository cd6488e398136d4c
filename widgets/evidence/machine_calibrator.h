// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/machine_fit.h"
#include "evidence/run_file.h"
#include "models/latest_worker.h"

#include <QObject>
#include <QVector>

#include <memory>

namespace meshwright {

/// Measured runs to fit a machine's constants to.
struct CalibrationQuestion {
    MachineRuns runs;
    QVector<RunFile> files; ///< tables whose rows are to be added to them
};

struct CalibrationAnswer {
    MachineRuns runs; ///< those of the files included
    std::shared_ptr<const MachineFit> fit; ///< null without runs, or where there is a problem
    QString note = {}; ///< what became of runs that were there before; empty where nothing did
    QString problem; ///< one line; empty where all is well
};

/// Reads and fits on a thread of its own; the latest question wins.
class MachineCalibrator : public QObject {
    Q_OBJECT

public:
    explicit MachineCalibrator(QObject *parent = nullptr);

    void ask(const CalibrationQuestion &question) { m_worker.ask(question); }
    bool isBusy() const { return m_worker.isBusy(); }

Q_SIGNALS:
    void answered(const meshwright::CalibrationAnswer &answer);

private:
    LatestWorker<CalibrationQuestion, CalibrationAnswer> m_worker;
};

} // namespace meshwright
