// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/machine_fit.h"
#include "evidence/run_file.h"
#include "models/latest_worker.h"

#include <QObject>
#include <QVector>

#include <memory>

namespace meshwright {

struct CalibrationQuestion {
    MachineRuns runs;
    QVector<RunFile> files;
};

struct CalibrationAnswer {
    MachineRuns runs; ///< runs to fit, including the runs of the files
    std::shared_ptr<const MachineFit> fit; ///< null without runs or if there is a problem
    QString note = {}; ///< replaced runs, in one line; empty if there are none
    QString problem; ///< reason why nothing was fitted, in one line; otherwise empty
};

/// Reads files and fits on its own thread; only the latest question is answered.
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
