// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/machine_runs_model.h"

#include "evidence/evidence_set.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "models/figures_table.h"

namespace meshwright {

namespace {

QString errorText(const FittedFigure &figure, double predicted) {
    const double error = predicted / figure.measured - 1;
    return (error > 0 ? QStringLiteral("+") : QString()) + shareText(error);
}

QString kindText(MeasuredMemory kind) {
    switch (kind) {
    case MeasuredMemory::allocated:
        return MachineRunsModel::tr("allocated");
    case MeasuredMemory::allocated_on_last_rank:
        return MachineRunsModel::tr("allocated on the last rank");
    case MeasuredMemory::device:
        return MachineRunsModel::tr("total on the device");
    case MeasuredMemory::reserved:
    case MeasuredMemory::unknown:
        break;
    }
    return MachineRunsModel::tr("reserved");
}

/// The figure whose derivation opens from a cell; see machineDerivation().
FigureRef figureOf(int row, int column) {
    const char *const name = column == MachineRunsModel::Step ? "step"
        : column == MachineRunsModel::StepBefore              ? "step_before"
        : column == MachineRunsModel::StepAfter               ? "step_after"
        : column == MachineRunsModel::Memory                  ? "memory"
        : column == MachineRunsModel::MemoryBefore            ? "memory_before"
        : column == MachineRunsModel::MemoryAfter             ? "memory_after"
                                                              : nullptr;
    return name == nullptr ? FigureRef()
                           : FigureRef::ofView(QStringLiteral("machine_run.%1.%2").arg(row).arg(QLatin1String(name)),
                                               FigureView::evidence);
}

} // namespace

void MachineRunsModel::setRuns(const std::vector<MachineRun> &runs, std::shared_ptr<const MachineFit> fit) {
    beginResetModel();
    m_runs = runs;
    m_fit = std::move(fit);
    endResetModel();
}

int MachineRunsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int MachineRunsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString MachineRunsModel::textOf(int row, int column) const {
    const auto place = static_cast<std::size_t>(row);
    const MachineRun &run = m_runs[place];
    const FittedRun *const fitted = m_fit != nullptr && place < m_fit->runs.size() ? &m_fit->runs[place] : nullptr;
    const auto error = [&](std::optional<FittedFigure> FittedRun::*figure, double FittedFigure::*predicted) {
        if (fitted == nullptr || !(fitted->*figure))
            return QString();
        return errorText(*(fitted->*figure), (*(fitted->*figure)).*predicted);
    };
    switch (column) {
    case Run:
        return QString::fromStdString(run.name);
    case Configuration:
        return degreesText(run.plan);
    case Step:
        return run.step_seconds ? figureText(*run.step_seconds, Quantity::seconds) : QString();
    case StepBefore:
        return error(&FittedRun::step, &FittedFigure::before);
    case StepAfter:
        return error(&FittedRun::step, &FittedFigure::after);
    case Memory:
        return run.peak_bytes ? figureText(*run.peak_bytes, Quantity::bytes) : QString();
    case MemoryBefore:
        return error(&FittedRun::memory, &FittedFigure::before);
    case MemoryAfter:
        return error(&FittedRun::memory, &FittedFigure::after);
    default:
        return {};
    }
}

QVariant MachineRunsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    if (role == Qt::DisplayRole)
        return textOf(index.row(), index.column());
    if (role == FiguresTable::FigureRole)
        return QVariant::fromValue(figureOf(index.row(), index.column()));
    if (role == Qt::TextAlignmentRole)
        return int((index.column() <= Configuration ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && index.column() == Memory)
        return tr("Memory: %1").arg(kindText(m_runs[static_cast<std::size_t>(index.row())].memory_kind));
    return {};
}

QVariant MachineRunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section <= Configuration ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Configuration)
        return tr("Tensor-, pipeline- and data-parallel degrees");
    if (role != Qt::DisplayRole)
        return {};
    static const QStringList names{tr("Run"),   tr("TP · PP · DP"), tr("Step"),   tr("Before"),
                                   tr("After"), tr("Peak"),         tr("Before"), tr("After")};
    return names.at(section);
}

} // namespace meshwright
