// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/stage_memory_model.h"

#include <QCoreApplication>

#include <array>

namespace meshwright {

namespace {

struct Column {
    const char *title;
    double StageMemory::*bytes;
};

constexpr std::array<Column, 10> columns{{
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Weights"), &StageMemory::weights_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Gradients"), &StageMemory::gradients_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Master"), &StageMemory::master_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Moments"), &StageMemory::moments_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Activations"), &StageMemory::activations_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Logits"), &StageMemory::logits_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Buffers"), &StageMemory::buffers_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Outer"), &StageMemory::outer_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Runtime"), &StageMemory::runtime_bytes},
    {QT_TRANSLATE_NOOP("StageMemoryModel", "Total"), &StageMemory::total_bytes},
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
    if (role == Qt::ToolTipRole)
        return tr("at %1").arg(QString::fromStdString(stage.peak_operation));
    return {};
}

QVariant StageMemoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Horizontal)
        return QCoreApplication::translate("StageMemoryModel", columns[static_cast<std::size_t>(section)].title);
    return tr("Stage %1").arg(m_memory.stages[static_cast<std::size_t>(section)].stage);
}

} // namespace meshwright
