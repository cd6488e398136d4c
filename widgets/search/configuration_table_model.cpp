// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/configuration_table_model.h"

#include "figures/figure_text.h"
#include "gantt/schedule_names.h"
#include "theme/roles.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

ConfigurationTableModel::ConfigurationTableModel(ConfigurationSelection *selection, QObject *parent)
    : QAbstractTableModel(parent)
    , m_selection(selection) {
    connect(selection, &ConfigurationSelection::answerChanged, this, [this] {
        beginResetModel();
        m_longestStep = 0;
        const std::vector<LayoutRow> &all = m_selection->rows();
        m_runsDiffer = std::any_of(all.begin(), all.end(), [this](const LayoutRow &row) {
            return m_selection->figures().runDiffers(row.entry);
        });
        for (const LayoutRow &row : m_selection->rows())
            m_longestStep = row.ofSchedule ? m_longestStep : std::max(m_longestStep, row.entry.step_seconds);
        endResetModel();
    });
}

int ConfigurationTableModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_selection->rows().size());
}

int ConfigurationTableModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(layoutColumns().size());
}

QVariant ConfigurationTableModel::share(const LayoutRow &row, ColumnId column) const {
    if (column == ColumnId::peak)
        return std::clamp(row.entry.peak_bytes / row.entry.plan.cluster.accelerator.memory_bytes, 0.0, 1.0);
    if (column == ColumnId::step && m_longestStep > 0)
        return std::clamp(row.entry.step_seconds / m_longestStep, 0.0, 1.0);
    return {};
}

QVariant ConfigurationTableModel::tone(const LayoutRow &row, ColumnId column) const {
    if (column == ColumnId::peak && row.entry.headroom_bytes < 0)
        return static_cast<int>(Tone::Bad);
    if (column == ColumnId::software && !row.entry.runnable)
        return static_cast<int>(Tone::Warn);
    if (column != ColumnId::gain || row.present || row.elsewhere)
        return {};
    return m_selection->figures().gain(row.entry) > 0 ? QVariant(static_cast<int>(Tone::Good)) : QVariant();
}

QVariant ConfigurationTableModel::toolTip(const LayoutRow &row, ColumnId column) const {
    if (column == ColumnId::software || column == ColumnId::schedule) {
        const QString reason = QString::fromStdString(row.entry.reason);
        const QString sentence =
            column == ColumnId::schedule ? scheduleSentence(row.entry.plan.parallelism.schedule) : QString();
        return QStringList{sentence, reason}.join(QLatin1Char('\n')).trimmed();
    }
    if (column == ColumnId::rank && row.rank == 0)
        return placeText(*m_selection->answer(), row);
    if (column != ColumnId::rank || !row.entry.tied || !m_selection->answer()->fits)
        return {};
    const QString within = shareText(m_selection->answer()->found.tied_within);
    const LayoutRow *recommended = m_selection->answer()->recommendedRow();
    if (recommended == nullptr || recommended->rank != row.rank)
        return tr("Tied with the best: the model cannot resolve differences below %1.").arg(within);
    return row.rank == 1
        ? tr("Recommended: of the best %1 configurations, those within %2 of this one are ties. Among the ties that "
             "improve on the plan, this one needs the fewest techniques or, among equals, leaves the most headroom.")
              .arg(recommendedOf)
              .arg(within)
        : tr("Recommended: of the best %1 configurations, those within %2 of rank 1 are ties. Among the ties, this one "
             "needs the fewest techniques or, among equals, leaves the most headroom.")
              .arg(recommendedOf)
              .arg(within);
}

QVariant ConfigurationTableModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const LayoutRow &row = m_selection->rows()[static_cast<std::size_t>(index.row())];
    const auto id = static_cast<ColumnId>(index.column());
    const ConfigurationColumn &column = layoutColumns()[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return m_selection->figures().text(row, id);
    case SortRole:
        return column.isText ? QVariant(m_selection->figures().text(row, id))
                             : QVariant(m_selection->figures().value(row, id));
    case Qt::AccessibleTextRole:
        return id != ColumnId::pin ? m_selection->figures().text(row, id)
            : row.pin.isEmpty()    ? tr("not pinned")
                                   : tr("pinned as %1").arg(row.pin);
    case Qt::AccessibleDescriptionRole:
        return id == ColumnId::software ? QVariant(QString::fromStdString(row.entry.reason)) : QVariant();
    case Qt::TextAlignmentRole:
        return static_cast<int>((column.isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case ShareRole:
        return share(row, id);
    case ToneRole:
        return tone(row, id);
    case PresentRole:
        return row.present;
    case BestRole:
        return row.rank == 1;
    case PinRole:
        return !row.pin.isEmpty();
    case TiedRole:
        return m_selection->answer()->fits && row.entry.tied && row.rank > 0;
    case RecommendedRole: {
        const LayoutRow *recommended = m_selection->answer()->recommendedRow();
        return recommended != nullptr && row.rank > 0 && recommended->rank == row.rank;
    }
    case Qt::ToolTipRole:
        return toolTip(row, id);
    case PointedRole:
        return m_selection->pointed() == index.row();
    case FigureRole:
        return QVariant::fromValue(m_selection->pathOf(row, id));
    default:
        return {};
    }
}

QVariant ConfigurationTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const ConfigurationColumn &column = layoutColumns()[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return static_cast<ColumnId>(section) == ColumnId::gain && m_runsDiffer ? tr("Run gain") : column.title;
    case Qt::ToolTipRole:
    case Qt::WhatsThisRole:
    case Qt::AccessibleDescriptionRole:
        return column.explanation;
    case Qt::TextAlignmentRole:
        return static_cast<int>((column.isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

ConfigurationSortModel::ConfigurationSortModel(ConfigurationSelection *selection, QObject *parent)
    : QSortFilterProxyModel(parent)
    , m_selection(selection) {
    setSortRole(ConfigurationTableModel::SortRole);
    setDynamicSortFilter(true);
    connect(selection, &ConfigurationSelection::leftChanged, this, [this] { invalidateFilter(); });
}

bool ConfigurationSortModel::filterAcceptsRow(int row, const QModelIndex &) const {
    return m_selection->isLeft(row);
}

} // namespace meshwright
