// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/fields_model.h"

#include "compare/figures_model.h"

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

/// A group with more fields than this is collapsed to one row until the user opens it.
constexpr int maxLoose = 4;

QString partOf(const std::string &pointer) {
    const QString part = QString::fromStdString(pointer).section(QLatin1Char('/'), 1, 1);
    const QStringList presets{QStringLiteral("model"), QStringLiteral("cluster"), QStringLiteral("stack")};
    return presets.contains(part) ? part : QString();
}

QString fieldText(const std::string &text) {
    return text == "-" ? QStringLiteral("–") : QString::fromStdString(text).simplified();
}

} // namespace

QString dottedName(const std::string &pointer) {
    QString name = QString::fromStdString(pointer).mid(1);
    name.replace(QLatin1Char('/'), QLatin1Char('.'));
    return name.replace(QStringLiteral("~1"), QStringLiteral("/")).replace(QStringLiteral("~0"), QStringLiteral("~"));
}

void ComparedFieldsModel::setComparison(const ComparisonPointer &run) {
    beginResetModel();
    m_run = run;
    m_names = run != nullptr ? comparedNames(run->comparison) : QStringList();
    arrange();
    endResetModel();
}

void ComparedFieldsModel::toggle(int row) {
    const QString part = m_rows.at(static_cast<std::size_t>(row)).part;
    if (part.isEmpty())
        return;
    beginResetModel();
    if (!m_open.remove(part))
        m_open.insert(part);
    arrange();
    endResetModel();
}

int ComparedFieldsModel::fieldCount() const {
    return m_run != nullptr ? static_cast<int>(m_run->comparison.fields.size()) : 0;
}

void ComparedFieldsModel::arrange() {
    m_rows.clear();
    if (m_run == nullptr)
        return;
    const std::vector<ComparedField> &fields = m_run->comparison.fields;
    QSet<QString> listed;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const QString part = partOf(fields[i].pointer);
        const auto count = static_cast<int>(std::count_if(
            fields.begin(), fields.end(), [&part](const auto &field) { return partOf(field.pointer) == part; }));
        const bool isGrouped = !part.isEmpty() && count > maxLoose;
        if (isGrouped && !std::exchange(listed, listed + QSet<QString>{part}).contains(part))
            m_rows.push_back({.part = part, .field = i, .count = count});
        if (!isGrouped || m_open.contains(part))
            m_rows.push_back({.part = {}, .field = i, .count = 1, .isInside = isGrouped});
    }
}

QString ComparedFieldsModel::partName(const QString &part, int plan) const {
    const Plan &shown = m_run->question.plans[static_cast<std::size_t>(plan)].plan;
    if (part == QStringLiteral("model"))
        return QString::fromStdString(shown.model.name.empty() ? shown.model_id : shown.model.name).simplified();
    if (part == QStringLiteral("stack"))
        return QString::fromStdString(shown.stack.name.empty() ? shown.stack_id : shown.stack.name).simplified();
    const QString accelerators = QString::fromStdString(shown.cluster.accelerator.name).simplified();
    return tr("%1 × %2").arg(shown.cluster.accelerators()).arg(accelerators);
}

QString ComparedFieldsModel::text(const Row &row, int column) const {
    const ComparedField &field = m_run->comparison.fields[row.field];
    if (column > 0)
        return row.part.isEmpty() ? fieldText(field.texts[static_cast<std::size_t>(column - 1)])
                                  : partName(row.part, column - 1);
    if (!row.part.isEmpty())
        return tr("%1 %2, %3 fields")
            .arg(m_open.contains(row.part) ? QStringLiteral("▾") : QStringLiteral("▸"), row.part)
            .arg(row.count);
    return (row.isInside ? QStringLiteral("    ") : QString()) + dottedName(field.pointer);
}

int ComparedFieldsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ComparedFieldsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() || m_run == nullptr ? 0 : static_cast<int>(m_names.size()) + 1;
}

QVariant ComparedFieldsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::AccessibleTextRole: // the displayed text, without the arrow before the name of a group
        return row.part.isEmpty() || index.column() > 0 ? text(row, index.column()).trimmed()
                                                        : tr("%1, %2 fields").arg(row.part).arg(row.count);
    case Qt::ToolTipRole:
        if (!row.part.isEmpty())
            return tr("Press Enter or double-click to show or hide the fields of this group");
        return index.column() == 0 ? dottedName(m_run->comparison.fields[row.field].pointer) + QLatin1Char('\n')
                + tr("Press Enter or double-click to go to this field")
                                   : text(row, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case PointerRole:
        return row.part.isEmpty() ? QString::fromStdString(m_run->comparison.fields[row.field].pointer) : QString();
    case PartRole:
        return row.part;
    default:
        return {};
    }
}

QVariant ComparedFieldsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    return section == 0 ? tr("Plan field") : m_names.at(section - 1);
}

} // namespace meshwright
