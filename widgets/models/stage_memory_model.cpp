// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/stage_memory_model.h"

#include "models/figure_table.h"

#include <QCoreApplication>

#include <array>

namespace meshwright {

namespace {

struct Column {
    const char *title;
    const char *tip;
    const char *key;
    double StageMemory::*bytes;
};

constexpr std::array<Column, 10> columns{{
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Weights"),
     QT_TRANSLATE_NOOP("StageMemoryModel", "Weights in the compute data type, after sharding"), "weights_bytes",
     &StageMemory::weights_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Gradients"),
     QT_TRANSLATE_NOOP("StageMemoryModel", "Gradients in the gradient data type, after sharding"), "gradients_bytes",
     &StageMemory::gradients_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Master"),
     QT_TRANSLATE_NOOP("StageMemoryModel", "Optimizer states: FP32 master weights"), "master_bytes",
     &StageMemory::master_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Adam"),
     QT_TRANSLATE_NOOP("StageMemoryModel", "Optimizer states: first and second moments of Adam"), "moments_bytes",
     &StageMemory::moments_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Activations"),
     QT_TRANSLATE_NOOP("StageMemoryModel", "Activations saved for backward"), "activations_bytes",
     &StageMemory::activations_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Logits"),
     QT_TRANSLATE_NOOP("StageMemoryModel", "Logits and their gradients"), "logits_bytes", &StageMemory::logits_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Buffers"),
     QT_TRANSLATE_NOOP("StageMemoryModel",
                       "Communication buffers, gathered weights and the working set of recomputation"),
     "buffers_bytes", &StageMemory::buffers_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Outer"),
     QT_TRANSLATE_NOOP("StageMemoryModel", "State of the outer optimizer (DiLoCo)"), "outer_bytes",
     &StageMemory::outer_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Context"),
     QT_TRANSLATE_NOOP("StageMemoryModel", "CUDA context and NCCL buffers, library workspaces and allocator slack"),
     "runtime_bytes", &StageMemory::runtime_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Total"),
     QT_TRANSLATE_NOOP("StageMemoryModel", "Total of all kinds at the stage's peak"), "total_bytes",
     &StageMemory::total_bytes},
}};

} // namespace

void StageMemoryModel::setMemory(const Memory &memory) {
    const bool sameRows = memory.stages.size() == m_memory.stages.size();
    if (!sameRows)
        beginResetModel();
    m_memory = memory;
    if (!sameRows)
        endResetModel();
    else if (!m_memory.stages.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void StageMemoryModel::setBriefTitles(const QStringList &titles) {
    if (titles == m_brief)
        return;
    m_brief = titles;
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

QString StageMemoryModel::nameOf(int column) {
    return QCoreApplication::translate("StageMemoryModel", columns[static_cast<std::size_t>(column)].title);
}

int StageMemoryModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_memory.stages.size());
}

int StageMemoryModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns.size());
}

QVariant StageMemoryModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const StageMemory &stage = m_memory.stages[static_cast<std::size_t>(index.row())];
    const double bytes = stage.*columns[static_cast<std::size_t>(index.column())].bytes;
    if (role == Qt::DisplayRole)
        return bytes > 0 ? QString::number(bytes / 1e9, 'f', 1) : QStringLiteral("–");
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role == FigureTable::FigureRole && bytes > 0)
        return QVariant::fromValue(
            FigureRef(QStringLiteral("memory.stages.%1.%2")
                          .arg(index.row())
                          .arg(QLatin1String(columns[static_cast<std::size_t>(index.column())].key))));
    if (role == Qt::ToolTipRole)
        return tr("Peak at %1").arg(QString::fromStdString(stage.peak_operation));
    return {};
}

QVariant StageMemoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::AccessibleTextRole && orientation == Qt::Horizontal)
        return nameOf(section);
    if (role == Qt::ToolTipRole && orientation == Qt::Horizontal) {
        const QString tip =
            QCoreApplication::translate("StageMemoryModel", columns[static_cast<std::size_t>(section)].tip);
        return m_brief.isEmpty() ? tip : nameOf(section) + QLatin1Char('\n') + tip;
    }
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Horizontal)
        return m_brief.isEmpty() ? nameOf(section) : m_brief.value(section);
    return tr("Stage %1").arg(m_memory.stages[static_cast<std::size_t>(section)].stage);
}

} // namespace meshwright
