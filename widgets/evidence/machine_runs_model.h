// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/machine_fit.h"

#include <QAbstractTableModel>

#include <memory>

namespace meshwright {

/// Runs of the user's machine: measured values, and the errors of the prediction before and after the fit.
class MachineRunsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Run, Configuration, Step, StepBefore, StepAfter, Memory, MemoryBefore, MemoryAfter, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(const std::vector<MachineRun> &runs, std::shared_ptr<const MachineFit> fit);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(int row, int column) const;

    std::vector<MachineRun> m_runs;
    std::shared_ptr<const MachineFit> m_fit;
};

} // namespace meshwright
