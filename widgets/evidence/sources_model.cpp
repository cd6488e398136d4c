// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/sources_model.h"

#include "figures/figure_text.h"

#include <optional>

namespace meshwright {

namespace {

/// Value of a column; nothing if the source has no data for it.
std::optional<double> numberOf(const EvidenceSource &source, int column) {
    const EvidenceSummary &summary = source.summary;
    const bool steps = summary.step.count > 0;
    const bool memory = summary.memory.count > 0;
    switch (column) {
    case SourcesModel::Steps:
        return static_cast<double>(source.rows.size());
    case SourcesModel::Bar:
    case SourcesModel::Median:
        return steps ? std::optional(summary.step.median_absolute) : std::nullopt;
    case SourcesModel::P90:
        return steps ? std::optional(summary.step.p90_absolute) : std::nullopt;
    case SourcesModel::Bias:
        return steps ? std::optional(summary.step.bias) : std::nullopt;
    case SourcesModel::Inside:
        return steps ? std::optional(summary.coverage) : std::nullopt;
    case SourcesModel::Memory:
        return memory ? std::optional(summary.memory.median_absolute) : std::nullopt;
    case SourcesModel::Fits:
        return summary.fits_count > 0 ? std::optional(summary.fits_accuracy) : std::nullopt;
    default:
        return std::nullopt;
    }
}

QString textOf(const EvidenceSource &source, int column) {
    if (column == SourcesModel::Source)
        return source.name;
    const std::optional<double> number = numberOf(source, column);
    if (!number || column == SourcesModel::Bar)
        return {};
    if (column == SourcesModel::Steps)
        return countText(*number);
    const QString sign = column == SourcesModel::Bias && *number > 0 ? QStringLiteral("+") : QString();
    return sign + QString(QString::number(100 * *number, 'f', 1)).replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace

void SourcesModel::setSet(EvidenceSetPointer set) {
    beginResetModel();
    m_set = std::move(set);
    endResetModel();
}

int SourcesModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() || m_set == nullptr ? 0 : static_cast<int>(m_set->sources.size());
}

int SourcesModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SourcesModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || m_set == nullptr)
        return {};
    const EvidenceSource &source = m_set->sources[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return textOf(source, index.column());
    case Qt::ToolTipRole:
        return tr("%1\n%2 rows, %3 step times and %4 memory peaks predicted, %5 skipped\nClick to see only these rows")
            .arg(source.name)
            .arg(source.rows.size())
            .arg(source.summary.step.count)
            .arg(source.summary.memory.count)
            .arg(source.summary.step.skipped + source.summary.memory.skipped);
    case Qt::TextAlignmentRole:
        return int((index.column() == Source ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case SortRole:
        if (index.column() == Source)
            return source.name;
        return numberOf(source, index.column()).value_or(-1e9);
    case FamilyRole:
        return source.family;
    case LowRole:
        return source.summary.step.count > 0 ? QVariant(source.low) : QVariant();
    case MiddleRole:
        return source.summary.step.bias;
    case HighRole:
        return source.high;
    default:
        return {};
    }
}

QVariant SourcesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr const char *titles[ColumnCount] = {
        QT_TR_NOOP("Source"), QT_TR_NOOP("Rows"),   QT_TR_NOOP("Errors"), QT_TR_NOOP("Median"), QT_TR_NOOP("90%"),
        QT_TR_NOOP("Bias"),   QT_TR_NOOP("Inside"), QT_TR_NOOP("Memory"), QT_TR_NOOP("Fits")};
    static constexpr const char *tips[ColumnCount] = {
        QT_TR_NOOP("Who measured"),
        QT_TR_NOOP("Rows in the table"),
        QT_TR_NOOP("Signed step time errors, 10th to 90th percentile; dot: median; the scale ends at ±50%"),
        QT_TR_NOOP("Median absolute step time error, %"),
        QT_TR_NOOP("90th percentile of the absolute step time error, %"),
        QT_TR_NOOP("Median signed step time error, %; above 0: predicted too slow"),
        QT_TR_NOOP("Fraction of measured step times inside the 80% interval derived from other sources, %"),
        QT_TR_NOOP("Median absolute peak memory error, %"),
        QT_TR_NOOP("Fraction of rows with a correct prediction of whether they run out of memory, %")};
    if (orientation == Qt::Vertical || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Source    ? Qt::AlignLeft
                        : section == Bar ? Qt::AlignHCenter
                                         : Qt::AlignRight)
                   | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return tr(tips[section]);
    return role == Qt::DisplayRole ? QVariant(tr(titles[section])) : QVariant();
}

} // namespace meshwright
