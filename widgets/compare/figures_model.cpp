// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/figures_model.h"

#include "compare/compared_plan.h"
#include "figures/change_tone.h"
#include "figures/figure_text.h"
#include "models/figures_table.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

QString comparedText(const std::optional<double> &value, Quantity quantity) {
    if (!value)
        return QStringLiteral("–");
    return quantity == Quantity::number ? plainText(*value) : figureText(*value, quantity);
}

std::optional<double> changeOf(const ComparedFigure &figure, int plan) {
    const std::optional<double> &first = figure.values.front();
    const std::optional<double> &other = figure.values[static_cast<std::size_t>(plan)];
    return plan > 0 && first && other ? std::optional(*other - *first) : std::nullopt;
}

} // namespace

QString relativeChangeText(double change) {
    constexpr double smallestChange = 5e-4; // smaller changes are rounding errors
    if (std::abs(change) < smallestChange)
        return {};
    return change > 2
        ? QCoreApplication::translate("ComparedFiguresModel", "× %1").arg(figureText(1 + change, Quantity::number))
        : (change > 0 ? QStringLiteral("+") : QString()) + shareText(change);
}

FigureRef comparedFigure(const QString &path, int plan) {
    return plan == 0 ? FigureRef(path) : FigureRef::ofPlan(path, FigureView::compare, letterOf(plan));
}

QStringList comparedNames(const PlanComparison &comparison) {
    QStringList names;
    for (const std::string &name : comparison.names) {
        const int plan = static_cast<int>(names.size());
        names << ComparedFiguresModel::tr("%1 · %2").arg(
            letterOf(plan), plan == 0 ? ComparedFiguresModel::tr("This plan") : QString::fromStdString(name));
    }
    return names;
}

QString signedText(double change, Quantity quantity) {
    const QString text = comparedText(std::abs(change), quantity);
    return change > 0 ? QLatin1Char('+') + text : change < 0 ? QChar(0x2212) + text : text;
}

Tone toneOf(const ComparedFigure &figure, double change) {
    return changeTone(preference_of(figure.path, figure.quantity), change);
}

void ComparedFiguresModel::setComparison(const ComparisonPointer &run) {
    beginResetModel();
    m_run = run;
    m_names = run != nullptr ? comparedNames(run->comparison) : QStringList();
    sift();
    endResetModel();
}

void ComparedFiguresModel::setDifferencesOnly(bool only) {
    beginResetModel();
    m_only = only;
    sift();
    endResetModel();
}

void ComparedFiguresModel::sift() {
    m_shown.clear();
    if (m_run == nullptr)
        return;
    const std::vector<ComparedFigure> &figures = m_run->comparison.figures;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const bool isZero = std::all_of(figures[i].values.begin(), figures[i].values.end(),
                                        [](const auto &value) { return !value || *value == 0; });
        if (!isZero && (!m_only || differs(figures[i])))
            m_shown.push_back(i);
    }
}

bool ComparedFiguresModel::differs(const ComparedFigure &figure) const {
    const QString first = comparedText(figure.values.front(), figure.quantity);
    return std::any_of(figure.values.begin(), figure.values.end(),
                       [&](const auto &value) { return comparedText(value, figure.quantity) != first; });
}

const ComparedFigure &ComparedFiguresModel::figureOfRow(int row) const {
    return m_run->comparison.figures[m_shown[static_cast<std::size_t>(row)]];
}

int ComparedFiguresModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int ComparedFiguresModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() || m_run == nullptr ? 0 : static_cast<int>(m_names.size()) + 1;
}

/// Change relative to plan A's figure; the plain difference if plan A's figure is 0 or the sign changes.
QString ComparedFiguresModel::changeText(const ComparedFigure &figure, int plan) const {
    const std::optional<double> change = changeOf(figure, plan);
    if (!change)
        return {};
    const double first = *figure.values.front();
    const bool crosses = (first < 0) != (first + *change < 0); // a headroom that turns negative has no meaningful ratio
    if (first == 0 || crosses)
        return comparedText(first, figure.quantity) == comparedText(first + *change, figure.quantity)
            ? QString()
            : signedText(*change, figure.quantity);
    return relativeChangeText(*change / std::abs(first));
}

QVariant ComparedFiguresModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ComparedFigure &figure = figureOfRow(index.row());
    const int plan = index.column() - 1;
    if (plan < 0) {
        if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
            return QString::fromStdString(figure.title);
        return role == Qt::TextAlignmentRole ? QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter) : QVariant();
    }
    const std::optional<double> &value = figure.values[static_cast<std::size_t>(plan)];
    switch (role) {
    case Qt::DisplayRole:
        return comparedText(value, figure.quantity);
    case Qt::AccessibleTextRole: {
        const QString change = changeText(figure, plan);
        const QString text = comparedText(value, figure.quantity);
        return change.isEmpty() ? text : tr("%1, %2 from plan A").arg(text, change);
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    case FiguresTable::FigureRole:
        return value ? QVariant::fromValue(comparedFigure(QString::fromStdString(figure.path), plan)) : QVariant();
    case ChangeRole:
        return changeText(figure, plan);
    case ToneRole:
        return static_cast<int>(toneOf(figure, changeOf(figure, plan).value_or(0)));
    case ShareRole: {
        double largest = 0;
        for (const auto &each : figure.values)
            largest = std::max(largest, std::abs(each.value_or(0)));
        return value && largest > 0 ? QVariant(std::max(0.0, *value / largest)) : QVariant();
    }
    default:
        return {};
    }
}

QVariant ComparedFiguresModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (section > 0)
        return m_names.at(section - 1);
    return role == Qt::DisplayRole ? tr("Figure") : tr("Click a value to see how it is calculated");
}

} // namespace meshwright
