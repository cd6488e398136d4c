// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/explain_model.h"

#include "explain/derivation_text.h"
#include "explain/simulation_effects.h"
#include "figures/change_tone.h"
#include "figures/figure_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshwright {

namespace {
constexpr double minEffect = 5e-4;
}

std::vector<ExplainModel::Node> ExplainModel::flattened(const Derivation *figure) {
    std::vector<Node> nodes;
    if (figure != nullptr)
        nodes.push_back({figure});
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        nodes[at].firstInput = static_cast<int>(nodes.size());
        int row = 0;
        for (const Derivation &input : nodes[at].derivation->inputs)
            nodes.push_back({&input, static_cast<int>(at), row++});
    }
    return nodes;
}

void ExplainModel::setFigure(std::shared_ptr<const Derivation> tree, const Derivation *figure) {
    std::vector<Node> nodes = flattened(figure);
    const bool sameRows = nodes.size() == m_nodes.size() && !nodes.empty()
        && std::equal(nodes.begin(), nodes.end(), m_nodes.begin(), [](const Node &a, const Node &b) {
                              return a.parent == b.parent && a.derivation->name == b.derivation->name;
                          });
    if (!sameRows)
        beginResetModel();
    m_nodes = std::move(nodes);
    const std::shared_ptr<const Derivation> before = std::exchange(m_tree, std::move(tree));
    if (!sameRows) {
        endResetModel();
        return;
    }
    sayChanged();
}

void ExplainModel::setEffects(SimulationEffects *effects) {
    m_effects = effects;
    connect(effects, &SimulationEffects::found, this, &ExplainModel::sayChanged);
}

void ExplainModel::sayChanged() {
    // Siblings are reported as one range of changed rows.
    for (const Node &node : m_nodes) {
        const int inputs = static_cast<int>(node.derivation->inputs.size());
        const auto first = static_cast<std::size_t>(node.firstInput);
        if (inputs > 0)
            Q_EMIT dataChanged(createIndex(0, 0, first),
                               createIndex(inputs - 1, ColumnCount - 1, first + static_cast<std::size_t>(inputs) - 1));
    }
    if (!m_nodes.empty())
        Q_EMIT dataChanged(index(0, 0), index(0, ColumnCount - 1));
}

std::optional<double> ExplainModel::effectAt(const QModelIndex &index) const {
    const NodePath path = nodesTo(index);
    if (!passesSimulation(path))
        return effectOfGrowth(path);
    return m_effects != nullptr ? m_effects->effectOf(path) : std::nullopt;
}

const Derivation *ExplainModel::nodeAt(const QModelIndex &index) const {
    return index.isValid() ? node(index).derivation : nullptr;
}

QStringList ExplainModel::pathOf(const QModelIndex &index) const {
    QStringList path;
    for (QModelIndex at = index; at.isValid(); at = parent(at))
        path.prepend(QString::fromStdString(node(at).derivation->name));
    return path;
}

NodePath ExplainModel::nodesTo(const QModelIndex &index) const {
    NodePath path;
    for (QModelIndex at = index; at.isValid(); at = parent(at))
        path.insert(path.begin(), node(at).derivation);
    return path;
}

QModelIndex ExplainModel::indexAt(const QStringList &path) const {
    QModelIndex found;
    for (const QString &name : path) {
        QModelIndex next;
        for (int row = 0; row < rowCount(found) && !next.isValid(); ++row) {
            const QModelIndex candidate = index(row, 0, found);
            if (name == QLatin1String(node(candidate).derivation->name.c_str()))
                next = candidate;
        }
        if (!next.isValid())
            break;
        found = next;
    }
    return found;
}

QModelIndex ExplainModel::index(int row, int column, const QModelIndex &parent) const {
    if (row < 0 || column < 0 || column >= ColumnCount || row >= rowCount(parent))
        return {};
    const int at = parent.isValid() ? node(parent).firstInput + row : row;
    return createIndex(row, column, static_cast<quintptr>(at));
}

QModelIndex ExplainModel::parent(const QModelIndex &index) const {
    if (!index.isValid() || node(index).parent < 0)
        return {};
    const int above = node(index).parent;
    return createIndex(m_nodes[static_cast<std::size_t>(above)].row, 0, static_cast<quintptr>(above));
}

int ExplainModel::rowCount(const QModelIndex &parent) const {
    if (!parent.isValid())
        return m_nodes.empty() ? 0 : 1;
    return parent.column() > 0 ? 0 : static_cast<int>(node(parent).derivation->inputs.size());
}

int ExplainModel::columnCount(const QModelIndex &) const {
    return ColumnCount;
}

QVariant ExplainModel::text(const Derivation &derivation, int column) const {
    switch (column) {
    case TitleColumn:
        return titleOf(derivation);
    case FormulaColumn:
        return hasFormula(derivation) ? formulaLineOf(derivation) : QString::fromStdString(derivation.source);
    case ValueColumn:
        return valueTextOf(derivation);
    default:
        return originTextOf(derivation);
    }
}

QString ExplainModel::effectText(const QModelIndex &index) const {
    const QVariant effect = data(index, EffectRole);
    // Effects that would be printed as 0.0% are omitted.
    if (!effect.isValid() || std::abs(effect.toDouble()) < minEffect)
        return {};
    const QString sign = effect.toDouble() > 0 ? QStringLiteral("+") : QString();
    return sign + figureText(effect.toDouble(), Quantity::share);
}

QVariant ExplainModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const Derivation &derivation = *node(index).derivation;
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == EffectColumn ? effectText(index) : text(derivation, index.column());
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() >= EffectColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return QString::fromStdString(derivation.source);
    case Qt::AccessibleTextRole:
        return index.column() == TitleColumn
            ? tr("%1, %2, %3").arg(titleOf(derivation), valueTextOf(derivation), originTextOf(derivation))
            : data(index, Qt::DisplayRole).toString();
    case EffectRole:
        if (const std::optional<double> effect = effectAt(index))
            return *effect;
        return {};
    case EffectToneRole: {
        const Derivation &figure = *m_nodes.front().derivation;
        return static_cast<int>(
            changeTone(preference_of(figure.name, figure.quantity), data(index, EffectRole).toDouble()));
    }
    case NumbersRole:
        return hasFormula(derivation) ? numbersLineOf(derivation) : QString();
    case FormulaRole:
        return text(derivation, FormulaColumn);
    case ToneRole:
        return static_cast<int>(originToneOf(derivation));
    default:
        return {};
    }
}

QVariant ExplainModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section >= EffectColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == EffectColumn)
        return tr("Relative change of the figure if this quantity grows by 10%; counts are rounded up to an integer");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case TitleColumn:
        return tr("Quantity");
    case FormulaColumn:
        return tr("Formula, then with this plan's values");
    case EffectColumn:
        return tr("Effect of +10%");
    case ValueColumn:
        return tr("Value");
    default:
        return tr("Origin");
    }
}

} // namespace meshwright
