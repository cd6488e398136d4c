// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/assumptions_model.h"

#include "evidence/assumption.h"
#include "evidence/assumption_derivation.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "models/figures_table.h"
#include "theme/theme.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr int longestTyped = 40;

QString changeText(double change) {
    return change == 0 ? QStringLiteral("–") : (change > 0 ? QStringLiteral("+") : QString()) + shareText(change);
}

/// Assigns influences to the rows of their assumptions. Influences of other plan fields are left out.
std::vector<std::optional<ShownInfluence>> ofAssumptions(const std::vector<Influence> &influences, const char *figure) {
    std::vector<std::optional<ShownInfluence>> rows(static_cast<std::size_t>(Assumption::count()));
    for (ShownInfluence &shown : shownInfluences(influences, {.figure = figure}, QLatin1String(figure)))
        if (const int row = Assumption::rowOf(QString::fromStdString(shown.influence.variation.pointer)); row >= 0)
            rows[static_cast<std::size_t>(row)] = std::move(shown);
    return rows;
}

double changeOf(const std::vector<std::optional<ShownInfluence>> &rows, std::size_t row) {
    return row < rows.size() && rows[row] ? rows[row]->influence.change : 0;
}

} // namespace

void AssumptionsModel::showPlan(const PlanView &view) {
    m_view = view;
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void AssumptionsModel::setInfluences(const std::vector<Influence> &step, const std::vector<Influence> &memory) {
    m_step = ofAssumptions(step, "step.seconds");
    m_memory = ofAssumptions(memory, "memory.peak_bytes");
    m_widest = 0;
    for (std::size_t row = 0; row < m_step.size(); ++row)
        m_widest = std::max(m_widest, std::abs(changeOf(m_step, row)));
    Q_EMIT dataChanged(index(0, StepBar), index(rowCount() - 1, ColumnCount - 1));
}

bool AssumptionsModel::isOverridden(int row) const {
    return Assumption::at(row).isOverridden(m_view.plan);
}

int AssumptionsModel::overridden() const {
    int count = 0;
    for (int row = 0; row < rowCount(); ++row)
        count += isOverridden(row) ? 1 : 0;
    return count;
}

int AssumptionsModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : Assumption::count();
}

int AssumptionsModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString AssumptionsModel::textOf(int row, int column) const {
    const Assumption assumption = Assumption::at(row);
    const auto place = static_cast<std::size_t>(row);
    switch (column) {
    case Name:
        return assumption.title();
    case Value:
        return assumption.text(assumption.value(m_view.plan));
    case Range:
        return assumption.rangeText();
    case Origin:
        return assumption.origin(m_view.plan);
    case Step:
        return m_step.empty() ? QString() : changeText(changeOf(m_step, place));
    case Memory:
        return m_memory.empty() ? QString() : changeText(changeOf(m_memory, place));
    default:
        return {};
    }
}

/// Figure that a cell opens; empty if the cell shows no number.
FigureRef AssumptionsModel::figureOf(int row, int column) const {
    const auto place = static_cast<std::size_t>(row);
    if (column == Step || column == Memory) {
        const auto &rows = column == Step ? m_step : m_memory;
        return place < rows.size() && rows[place] ? rows[place]->figure : FigureRef();
    }
    const Assumption assumption = Assumption::at(row);
    if (!assumption.choices().isEmpty())
        return {};
    const char *const part = column == Value ? "assumption." : column == Range ? "range." : nullptr;
    return part == nullptr ? FigureRef()
                           : FigureRef::ofView(QLatin1String(part) + assumption.name(), FigureView::evidence);
}

std::optional<Derivation> AssumptionsModel::derivationOf(const QString &figure) const {
    return assumptionDerivation(figure, m_view.plan);
}

QVariant AssumptionsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const int row = index.row();
    const Assumption assumption = Assumption::at(row);
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, index.column());
    case Qt::EditRole:
        return index.column() == Value ? QVariant(assumption.typed(assumption.value(m_view.plan))) : QVariant();
    case Qt::TextAlignmentRole:
        return int((index.column() == Name || index.column() == Origin ? Qt::AlignLeft : Qt::AlignRight)
                   | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return QStringLiteral("%1\n%2").arg(assumption.meaning(), assumption.source(m_view.plan));
    case Qt::ForegroundRole:
        if ((index.column() == Value || index.column() == Origin) && isOverridden(row))
            return Theme::current().colour(ColourRole::Accent);
        return {};
    case FiguresTable::FigureRole:
        return QVariant::fromValue(figureOf(row, index.column()));
    case ShareRole:
        return m_widest > 0 ? std::abs(changeOf(m_step, static_cast<std::size_t>(row))) / m_widest : 0.0;
    case WordsRole:
        return QStringLiteral("%1 %2 %3 %4 %5")
            .arg(assumption.name(), textOf(row, Name), textOf(row, Origin), assumption.meaning(),
                 assumption.source(m_view.plan));
    case OverriddenRole:
        return isOverridden(row);
    case ChoicesRole:
        return assumption.choices();
    default:
        return {};
    }
}

bool AssumptionsModel::setData(const QModelIndex &index, const QVariant &value, int role) {
    if (role != Qt::EditRole || !index.isValid() || index.column() != Value)
        return false;
    const Assumption assumption = Assumption::at(index.row());
    const QString typed = value.toString().trimmed();
    if (typed.isEmpty()) {
        reset(index.row());
        return true;
    }
    const std::optional<double> read = assumption.read(typed);
    if (!read) {
        Q_EMIT refused(
            tr("%1 must be %2, got %3.").arg(assumption.title(), assumption.limits(), typed.left(longestTyped)));
        return false;
    }
    if (*read == assumption.value(m_view.plan))
        return false;
    Q_EMIT edited(assumption.edit(m_view, *read));
    return true;
}

void AssumptionsModel::reset(int row) {
    if (isOverridden(row))
        Q_EMIT edited(Assumption::at(row).edit(m_view, std::nullopt));
}

void AssumptionsModel::resetAll() {
    if (overridden() == 0)
        return;
    nlohmann::ordered_json patch{{"assumptions", nullptr}};
    for (int row = 0; row < rowCount(); ++row)
        if (Assumption::at(row).isOfSoftware() && isOverridden(row))
            patch["stack"] = m_view.plan.stack.id;
    Q_EMIT edited({.field = QStringLiteral("/assumptions"),
                   .subject = tr("Reset all assumptions"),
                   .from = {},
                   .to = {},
                   .patch = patch.dump()});
}

Qt::ItemFlags AssumptionsModel::flags(const QModelIndex &index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == Value ? flags | Qt::ItemIsEditable : flags;
}

QVariant AssumptionsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr const char *titles[ColumnCount] = {
        QT_TR_NOOP("Assumption"), QT_TR_NOOP("Value"), QT_TR_NOOP("Range"), QT_TR_NOOP("Origin"), "",
        QT_TR_NOOP("Δ step"),     QT_TR_NOOP("Δ peak")};
    if (orientation == Qt::Vertical || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Name || section == Origin ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Value)
        return tr("Value used by this plan. Double-click to override, clear to reset.");
    if (role == Qt::ToolTipRole && section >= StepBar)
        return tr(
            "Change in this plan's step time or peak memory if the value increases by 10%, or to the end of its range");
    return role == Qt::DisplayRole ? QVariant(tr(titles[section])) : QVariant();
}

} // namespace meshwright
