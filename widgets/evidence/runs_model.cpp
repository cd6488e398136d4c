// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/runs_model.h"

#include "figures/figure_ref.h"
#include "figures/figure_text.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

void RunsModel::setRuns(const std::vector<SimilarRun> &runs, EvidenceSetPointer set) {
    beginResetModel();
    m_runs = runs;
    m_set = std::move(set);
    m_widest = 0.01;
    for (const SimilarRun &run : m_runs)
        m_widest = std::max(m_widest, std::abs(run.error()));
    endResetModel();
}

int RunsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString RunsModel::textOf(const SimilarRun &run, int column) const {
    const bool known = m_set != nullptr && run.row < m_set->table->plans.size();
    switch (column) {
    case Run:
        return QString::fromStdString(run.model.empty() ? run.id : run.model);
    case Machines:
        return known                             ? machinesText(*m_set->table, run.row)
            : run.row == SimilarRun::of_no_table ? tr("this machine")
                                                 : QString();
    case Configuration:
        return known ? degreesText(m_set->table->plans[run.row].plan) : QString();
    case Measured:
        return figureText(run.measured_seconds, Quantity::seconds);
    case Predicted:
        return figureText(run.predicted_seconds, Quantity::seconds);
    case Error:
        return (run.error() > 0 ? QStringLiteral("+") : QString()) + shareText(run.error());
    case Distance:
        return QString::number(run.distance, 'f', 2);
    default:
        return {};
    }
}

FigureRef RunsModel::figureOf(int row, int column) {
    const char *const name = column == Measured ? "measured"
        : column == Predicted                   ? "predicted"
        : column == Error                       ? "error"
                                                : nullptr;
    return name == nullptr
        ? FigureRef()
        : FigureRef::ofView(QStringLiteral("run.%1.%2").arg(row).arg(QLatin1String(name)), FigureView::evidence);
}

QVariant RunsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const SimilarRun &run = m_runs[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole)
        return textOf(run, index.column());
    if (role == Qt::ToolTipRole && run.row == SimilarRun::of_no_table)
        return tr("%1\nMeasured on this machine; predicted with constants fitted to the machine's other runs")
            .arg(textOf(run, Run));
    if (role == Qt::ToolTipRole)
        return tr("%1\n%2, row %3\nClick to open it as a plan")
            .arg(textOf(run, Run), QString::fromStdString(run.source), QString::fromStdString(run.id));
    if (role == ErrorRole)
        return run.error();
    if (role == FigureRole)
        return QVariant::fromValue(figureOf(index.row(), index.column()));
    if (role == Qt::TextAlignmentRole)
        return int((index.column() <= Configuration ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section <= Configuration ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Distance)
        return tr("Distance of the run from this plan: 0.15 to 0.5 per doubling of a size, 1 for different software, "
                  "0.8 for a different type of accelerator");
    if (role == Qt::ToolTipRole && section == Configuration)
        return tr("Tensor-, pipeline- and data-parallel degrees");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Run:
        return tr("Run");
    case Machines:
        return tr("Accelerators");
    case Configuration:
        return tr("TP · PP · DP");
    case Measured:
        return tr("Measured");
    case Predicted:
        return tr("Predicted");
    case Error:
        return tr("Error");
    case Distance:
        return tr("Distance");
    default:
        return {};
    }
}

} // namespace meshwright
