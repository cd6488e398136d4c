// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/causes_model.h"

#include "compare/compared_plan.h"
#include "compare/fields_model.h"
#include "compare/figures_model.h"
#include "figures/figure_text.h"
#include "models/figures_table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

/// Effects below this fraction of the figure are rounding errors of the simulated pipeline.
constexpr double smallestShare = 1e-6;
/// If all effects are below this fraction of the figure, the scale does not start at zero; otherwise the effects could
/// not be told apart.
constexpr double shownFromZero = 0.3;
constexpr int maxFieldsNamed = 6;

FigureRef causeFigure(std::size_t index, const char *what) {
    return FigureRef::ofView(QStringLiteral("cause.%1.%2").arg(index).arg(QLatin1String(what)), FigureView::compare);
}

} // namespace

void CausesModel::setComparison(const ComparisonPointer &run, const QString &figure, int plan) {
    beginResetModel();
    m_run = run;
    m_plan = plan;
    m_figure = nullptr;
    m_rows.clear();
    if (run != nullptr)
        for (const ComparedFigure &each : run->comparison.figures)
            if (QString::fromStdString(each.path) == figure)
                m_figure = &each;
    if (m_figure != nullptr)
        gather(*m_figure);
    setRange();
    endResetModel();
}

void CausesModel::gather(const ComparedFigure &figure) {
    const std::optional<double> &first = figure.values.front();
    const std::optional<double> &other = figure.values[static_cast<std::size_t>(m_plan)];
    if (!first || !other)
        return;
    m_rows.push_back({.plan = 0, .from = 0, .to = *first});
    const std::vector<ComparedCause> &causes = m_run->comparison.causes;
    for (std::size_t i = 0; i < causes.size(); ++i) {
        const ComparedCause &cause = causes[i];
        const double effect = std::max(std::abs(cause.in_order), std::abs(cause.alone.value_or(0)));
        if (static_cast<int>(cause.plan) == m_plan && cause.figure == figure.path
            && effect > smallestShare * std::abs(*first))
            m_rows.push_back({.cause = &cause, .index = i, .from = cause.before, .to = cause.after});
    }
    m_rows.push_back({.plan = m_plan, .from = 0, .to = *other});
}

void CausesModel::setRange() {
    m_range = {};
    if (m_rows.empty())
        return;
    double low = m_rows.front().to;
    double high = low;
    for (const Row &row : m_rows)
        for (const double end : {row.cause != nullptr ? row.from : row.to, row.to}) {
            low = std::min(low, end);
            high = std::max(high, end);
        }
    const double spread = high - low;
    const bool fromZero = low <= 0 || spread > shownFromZero * high || spread == 0;
    m_range = {fromZero ? std::min(0.0, low) : low - 0.3 * spread, high > low || high > 0 ? std::max(high, 0.0) : 1};
}

int CausesModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CausesModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString CausesModel::text(const Row &row, int column) const {
    const Quantity quantity = m_figure->quantity;
    if (row.cause == nullptr) {
        if (column == Cause)
            return row.plan == 0 ? tr("Plan A") : tr("Plan %1").arg(letterOf(row.plan));
        return column == InOrder ? (quantity == Quantity::number ? plainText(row.to) : figureText(row.to, quantity))
                                 : QString();
    }
    switch (column) {
    case Cause:
        return QString::fromStdString(row.cause->title);
    case InOrder:
        return signedText(row.cause->in_order, quantity);
    case Alone:
        return row.cause->alone ? signedText(*row.cause->alone, quantity) : QStringLiteral("–");
    case Interaction:
        return row.cause->alone ? signedText(*row.cause->interaction(), quantity) : QStringLiteral("–");
    default:
        return {};
    }
}

FigureRef CausesModel::figureOf(const Row &row, int column) const {
    if (row.cause == nullptr)
        return column == InOrder ? comparedFigure(QString::fromStdString(m_figure->path), row.plan) : FigureRef();
    if (column == InOrder)
        return causeFigure(row.index, "in_order");
    if (!row.cause->alone)
        return {};
    return column == Alone      ? causeFigure(row.index, "alone")
        : column == Interaction ? causeFigure(row.index, "interaction")
                                : FigureRef();
}

QString CausesModel::explanation(const Row &row) const {
    if (row.cause == nullptr)
        return text(row, Cause) + QStringLiteral(": ") + text(row, InOrder);
    QStringList lines{QString::fromStdString(row.cause->title),
                      tr("in order, after the changes above: %1").arg(text(row, InOrder)),
                      tr("alone, in plan A: %1").arg(text(row, Alone)),
                      tr("interaction with the changes above: %1").arg(text(row, Interaction))};
    const auto &fields = row.cause->fields;
    const auto named = std::min<std::size_t>(fields.size(), maxFieldsNamed);
    for (std::size_t i = 0; i < named; ++i)
        lines << dottedName(fields[i]);
    if (named < fields.size())
        lines << tr("and %1 more").arg(fields.size() - named);
    return lines.join(QLatin1Char('\n'));
}

QVariant CausesModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::AccessibleTextRole:
        return index.column() == Bar ? explanation(row).replace(QLatin1Char('\n'), QStringLiteral(", "))
                                     : text(row, index.column());
    case Qt::ToolTipRole:
        return explanation(row);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() <= Bar ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case FiguresTable::FigureRole: {
        const FigureRef figure = figureOf(row, index.column());
        return figure.isEmpty() ? QVariant() : QVariant::fromValue(figure);
    }
    case FromRole:
        return row.from;
    case ToRole:
        return row.to;
    case TotalRole:
        return row.cause == nullptr;
    case ToneRole:
        return static_cast<int>(row.cause == nullptr ? Tone::Neutral : toneOf(*m_figure, row.cause->in_order));
    default:
        return {};
    }
}

QVariant CausesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static const std::array titles{QT_TR_NOOP("Change"), QT_TR_NOOP("Effect"), QT_TR_NOOP("In order"),
                                   QT_TR_NOOP("Alone"), QT_TR_NOOP("Interaction")};
    static const std::array tips{
        QT_TR_NOOP("Fields that change together, from plan A to the other plan"),
        QT_TR_NOOP("From the figure before the change to the figure after it"),
        QT_TR_NOOP(
            "Effect of the change, applied after all changes above it. The column adds up to the total difference."),
        QT_TR_NOOP("Effect of this change alone, applied to plan A; a dash if the result is not a valid plan"),
        QT_TR_NOOP("Effect in order minus effect alone: the interaction with the changes above")};
    const auto at = static_cast<std::size_t>(section);
    switch (role) {
    case Qt::DisplayRole:
        return tr(titles[at]);
    case Qt::ToolTipRole:
        return tr(tips[at]);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((section <= Bar ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace meshwright
