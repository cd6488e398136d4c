// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/evidence_set.h"
#include "evidence/similar_run.h"
#include "figures/figure_ref.h"
#include "models/figures_table.h"

#include <QAbstractTableModel>

#include <vector>

namespace meshwright {

/// The measured runs nearest to a plan: configuration, measured value, and the error of the prediction.
class RunsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Run, Machines, Configuration, Measured, Predicted, Bar, Error, Distance, ColumnCount };
    static constexpr int ErrorRole = Qt::UserRole + 1;
    static constexpr int FigureRole = FiguresTable::FigureRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(const std::vector<SimilarRun> &runs, EvidenceSetPointer set);
    const SimilarRun &run(int row) const { return m_runs[static_cast<std::size_t>(row)]; }
    /// The largest absolute error of all rows.
    double widest() const { return m_widest; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const SimilarRun &run, int column) const;
    static FigureRef figureOf(int row, int column);

    std::vector<SimilarRun> m_runs;
    EvidenceSetPointer m_set; ///< null until the first answer
    double m_widest = 0.01;
};

} // namespace meshwright
