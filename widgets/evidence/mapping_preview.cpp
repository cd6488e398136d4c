// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/mapping_preview.h"

#include "catalog/library.h"
#include "evidence/cell_text.h"
#include "evidence/row_reading.h"
#include "figures/figure_text.h"
#include "theme/theme.h"

#include <algorithm>

namespace meshwright {

namespace {

constexpr int longestCell = 40;
constexpr int longestVerdict = 160;
constexpr int longestAssumed = 400;

QString asRead(const RowReading &row) {
    const Plan &plan = row.plan.plan;
    const Parallelism &degrees = plan.parallelism;
    QString part = QString::fromStdString(plan.cluster.accelerator.name).section(QStringLiteral(" ("), 0, 0);
    const QString maker = QString::fromStdString(plan.cluster.accelerator.vendor) + QLatin1Char(' ');
    if (part.startsWith(maker))
        part.remove(0, maker.size());
    QStringList parts{QString::fromStdString(plan.model.name.empty() ? row.run.id : plan.model.name),
                      QStringLiteral("%1 × %2").arg(countText(static_cast<double>(plan.site_accelerators())), part),
                      QStringLiteral("TP %1 PP %2 DP %3").arg(degrees.tensor).arg(degrees.pipeline).arg(degrees.data)};
    if (const std::optional<double> seconds = row.run.measured_seconds())
        parts.append(MappingPreview::tr("step %1").arg(figureText(*seconds, Quantity::seconds)));
    if (row.run.peak_memory_bytes)
        parts.append(figureText(*row.run.peak_memory_bytes, Quantity::bytes));
    return parts.join(QStringLiteral(", "));
}

QString assumedOf(const RunPlan &plan) {
    QStringList assumed;
    for (const std::string &each : plan.assumed)
        assumed.append(QString::fromStdString(each));
    const QString text = MappingPreview::tr("Assumed: %1").arg(assumed.join(QStringLiteral("; ")));
    return assumed.isEmpty() ? QString() : cellText(text.toStdString(), longestAssumed);
}

/// Text for every row if a required value is neither in a column nor set for all rows.
QString needs(const std::vector<std::string> &missing) {
    QStringList names;
    for (const std::string &name : missing)
        names.append(name == "step_seconds" ? MappingPreview::tr("a measured figure")
                                            : QString::fromStdString(std::string(run_column(name).title)));
    return MappingPreview::tr("Skipped: needs %1").arg(names.join(QStringLiteral(", ")));
}

} // namespace

MappingVerdict verdictOn(const CsvTable &head, const ColumnMapping &mapping) {
    MappingVerdict verdict;
    // For published tables, missing values are assumed. Here, the user can be asked for them.
    if (const std::vector<std::string> missing = missing_columns(mapping); !missing.empty()) {
        verdict.lookedAt = std::min(maxRowsLookedAt, head.rows.size());
        const auto shown = std::min(MappingPreview::MaxRows, head.rows.size());
        verdict.rows.fill({.text = needs(missing), .assumed = {}, .isRead = false}, static_cast<qsizetype>(shown));
        return verdict;
    }
    const CsvTable mapped = mapped_table(head, mapping);
    const std::vector<RowReading> rows =
        rows_as_read(mapped, maxRowsLookedAt, RunRules::standard(), Library::standard());
    verdict.lookedAt = rows.size();
    for (const RowReading &row : rows) {
        const bool isRead = row.problem.empty();
        verdict.read += isRead ? 1 : 0;
        if (static_cast<std::size_t>(verdict.rows.size()) == MappingPreview::MaxRows)
            continue;
        const QString text =
            isRead ? asRead(row) : MappingPreview::tr("Skipped: %1").arg(QString::fromStdString(row.problem));
        verdict.rows.append({.text = cellText(text.toStdString(), longestVerdict),
                             .assumed = isRead ? assumedOf(row.plan) : QString(),
                             .isRead = isRead});
    }
    return verdict;
}

MappingPreview::MappingPreview(std::shared_ptr<const CsvTable> table, QObject *parent)
    : QAbstractTableModel(parent)
    , m_table(std::move(table)) { }

void MappingPreview::setMapping(const ColumnMapping &mapping) {
    m_mapping = mapping;
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void MappingPreview::setVerdict(const MappingVerdict &verdict) {
    m_verdict = verdict;
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int MappingPreview::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(std::min(m_table->rows.size(), MaxRows));
}

int MappingPreview::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : FirstCell + static_cast<int>(std::min(m_table->columns.size(), MaxColumns));
}

bool MappingPreview::isUsed(int section) const {
    const auto column = static_cast<std::size_t>(section - FirstCell);
    return section >= FirstCell && column < m_mapping.columns.size() && !m_mapping.columns[column].target.empty();
}

QString MappingPreview::textOf(const QModelIndex &index) const {
    if (index.column() == Number)
        return QString::number(index.row() + 1);
    if (index.column() == Verdict)
        return index.row() < m_verdict.rows.size() ? m_verdict.rows.at(index.row()).text : QString();
    const std::vector<std::string> &row = m_table->rows[static_cast<std::size_t>(index.row())];
    return cellText(row[static_cast<std::size_t>(index.column() - FirstCell)], longestCell);
}

QVariant MappingPreview::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return textOf(index);
    case Qt::ToolTipRole: {
        const bool isVerdict = index.column() == Verdict && index.row() < m_verdict.rows.size();
        const QString assumed = isVerdict ? m_verdict.rows.at(index.row()).assumed : QString();
        return QString(textOf(index) + (assumed.isEmpty() ? QString() : QLatin1Char('\n') + assumed));
    }
    case Qt::ForegroundRole:
        if (index.column() == Verdict && index.row() < m_verdict.rows.size() && !m_verdict.rows.at(index.row()).isRead)
            return Theme::current().colour(ColourRole::Warn);
        if (index.column() == Number || (index.column() >= FirstCell && !isUsed(index.column())))
            return Theme::current().colour(ColourRole::Text3);
        return {};
    default:
        return {};
    }
}

QVariant MappingPreview::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    const bool isCell = section >= FirstCell;
    const auto column = static_cast<std::size_t>(std::max(0, section - FirstCell));
    if (role == Qt::ToolTipRole && isCell)
        return isUsed(section)
            ? tr("Read as: %1")
                  .arg(QString::fromUtf8(
                      run_column(m_mapping.columns[column].target).title.data(),
                      static_cast<qsizetype>(run_column(m_mapping.columns[column].target).title.size())))
            : tr("Not read");
    if (role != Qt::DisplayRole)
        return {};
    if (section == Number)
        return tr("Row");
    return section == Verdict ? tr("Read as") : cellText(m_table->columns[column], longestCell);
}

} // namespace meshwright
