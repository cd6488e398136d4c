// SPDX-License-Identifier: GPL-3.0-or-later
#include "published/published_model.h"

#include "figures/figure_text.h"
#include "published/published_card.h"
#include "views/view_mapping.h"

#include <array>
#include <limits>

namespace meshwright {

namespace {

/// Sort key of rows without a number, which sorts them last.
constexpr double none = std::numeric_limits<double>::infinity();

double publishedValue(const PresetRow &row, const char *figure) {
    const PublishedComparison *found = row.published(figure);
    return found == nullptr ? none : found->value;
}

QString sayPublished(const PresetRow &row, const char *figure) {
    const PublishedComparison *found = row.published(figure);
    return found == nullptr ? QString() : publishedText(found->value, found->quantity);
}

} // namespace

PublishedModel::PublishedModel(QObject *parent)
    : QAbstractTableModel(parent) { }

void PublishedModel::setRows(std::vector<PresetRow> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int PublishedModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PublishedModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString PublishedModel::text(const PresetRow &row, int column) const {
    if (column == Name)
        return QString::fromStdString(row.name);
    if (row.result == nullptr)
        return column == Figure ? tr("cannot be evaluated") : QString();
    const Result &result = *row.result;
    const PublishedComparison *main = row.main();
    switch (column) {
    case Size:
        return figureText(result.parameters.total, Quantity::parameters);
    case Hardware:
        return QString::fromStdString(result.plan.cluster.accelerator.name)
            .section(QLatin1Char('('), 0, 0)
            .remove(QLatin1String("NVIDIA "))
            .remove(QLatin1String("Google "))
            .trimmed();
    case Accelerators:
        return countText(static_cast<double>(result.plan.cluster.accelerators()));
    case Configuration:
        return degreesText(result.plan.parallelism);
    case StepPublished:
        return sayPublished(row, "step_seconds");
    case StepPredicted:
        return figureText(result.step.seconds, Quantity::seconds);
    case MfuPublished:
        return sayPublished(row, "mfu");
    case MfuPredicted:
        return shareText(result.step.mfu);
    case Figure:
        return main == nullptr ? tr("not reported") : publishedName(*main);
    case Difference:
        return main == nullptr ? QString() : publishedDifference(*main);
    case Inside:
        return main == nullptr || !main->inside() ? QString() : *main->inside() ? tr("inside") : tr("outside");
    default:
        return {};
    }
}

QVariant PublishedModel::sortValue(const PresetRow &row, int column) const {
    const PublishedComparison *main = row.main();
    if (row.result == nullptr)
        return column == Name ? QVariant(text(row, column)) : QVariant(none);
    switch (column) {
    case Size:
        return row.result->parameters.total;
    case Accelerators:
        return static_cast<double>(row.result->plan.cluster.accelerators());
    case StepPublished:
        return publishedValue(row, "step_seconds");
    case StepPredicted:
        return row.result->step.seconds;
    case MfuPublished:
        return publishedValue(row, "mfu");
    case MfuPredicted:
        return row.result->step.mfu;
    case Difference:
        return main == nullptr ? none : main->difference();
    default:
        return text(row, column).toLower();
    }
}

QVariant PublishedModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const PresetRow &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return text(row, index.column());
    case SortRole:
        return sortValue(row, index.column());
    case IdRole:
        return QString::fromStdString(row.id);
    case Qt::TextAlignmentRole: {
        const int column = index.column();
        const bool words =
            column == Name || column == Hardware || column == Configuration || column == Figure || column == Inside;
        return QVariant::fromValue((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    case Qt::ToolTipRole:
        if (row.result == nullptr)
            return QString::fromStdString(row.problem);
        return index.column() == Figure || index.column() == Difference || index.column() == Inside
            ? QString::fromStdString(row.result->plan.published.note)
            : text(row, index.column());
    default:
        return {};
    }
}

QVariant PublishedModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static const std::array titles{QT_TR_NOOP("Plan"),
                                   QT_TR_NOOP("Size"),
                                   QT_TR_NOOP("Count"),
                                   QT_TR_NOOP("Hardware"),
                                   QT_TR_NOOP("Step time, published"),
                                   QT_TR_NOOP("Predicted"),
                                   QT_TR_NOOP("MFU, published"),
                                   QT_TR_NOOP("Predicted"),
                                   QT_TR_NOOP("Difference"),
                                   QT_TR_NOOP("Interval"),
                                   QT_TR_NOOP("Compared on"),
                                   QT_TR_NOOP("Parallelism")};
    static const std::array tips{
        QT_TR_NOOP("Plans in the library; double-click to open one"),
        QT_TR_NOOP("Number of trained parameters"),
        QT_TR_NOOP("Number of accelerators across all sites"),
        QT_TR_NOOP("Accelerator type"),
        QT_TR_NOOP("Time per optimizer step as reported by the authors"),
        QT_TR_NOOP("Predicted time per optimizer step"),
        QT_TR_NOOP("Model FLOPs utilization as reported by the authors; conventions differ"),
        QT_TR_NOOP("Predicted model FLOPs utilization: causal attention counted at half, recomputation excluded"),
        QT_TR_NOOP("Predicted / reported − 1, for the most informative of the reported speed figures"),
        QT_TR_NOOP("Whether the reported figure lies in the prediction's 80% interval"),
        QT_TR_NOOP("Figure compared: MFU, step time, tokens per second or HFU"),
        QT_TR_NOOP("Tensor-, pipeline- and data-parallel degrees, then any other parallelism in use")};
    const auto at = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole)
        return tr(titles[at]);
    if (role == Qt::ToolTipRole)
        return tr(tips[at]);
    return {};
}

} // namespace meshwright
