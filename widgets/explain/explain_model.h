// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/effect.h"
#include "formulas/derivation.h"

#include <QAbstractItemModel>
#include <QStringList>

#include <memory>
#include <vector>

namespace meshwright {

class SimulationEffects;

/// The derivation of one figure as a tree: the figure is the only top-level row, and its inputs are its children.
class ExplainModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { TitleColumn, FormulaColumn, EffectColumn, ValueColumn, OriginColumn, ColumnCount };
    /// ToneRole is the tone of the value's origin. EffectToneRole is positive if the effect improves the figure.
    enum Role { NumbersRole = Qt::UserRole, FormulaRole, ToneRole, EffectRole, EffectToneRole };

    using QAbstractItemModel::QAbstractItemModel;

    /// @param figure  a node of `tree`; the model keeps the tree alive. Null for none. If only values have changed,
    /// rows and selection stay.
    void setFigure(std::shared_ptr<const Derivation> tree, const Derivation *figure);
    /// Null for an invalid index.
    const Derivation *nodeAt(const QModelIndex &index) const;
    /// pathOf() returns the node names from the figure down to a node; indexAt() returns the deepest existing node on
    /// such a path.
    QStringList pathOf(const QModelIndex &index) const;
    QModelIndex indexAt(const QStringList &path) const;
    /// Nodes from the figure down to this one; empty for an invalid index.
    NodePath nodesTo(const QModelIndex &index) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Supplies the effects of nodes that are inputs of simulations. @param effects  must outlive the model
    void setEffects(SimulationEffects *effects);

private:
    /// Nodes are stored in breadth-first order, so that the inputs of a node are contiguous.
    struct Node {
        const Derivation *derivation = nullptr;
        int parent = -1;
        int row = 0;
        int firstInput = 0;
    };
    static std::vector<Node> flattened(const Derivation *figure);
    const Node &node(const QModelIndex &index) const { return m_nodes[index.internalId()]; }
    void sayChanged();
    std::optional<double> effectAt(const QModelIndex &index) const;
    QString effectText(const QModelIndex &index) const;
    QVariant text(const Derivation &derivation, int column) const;

    std::shared_ptr<const Derivation> m_tree;
    std::vector<Node> m_nodes;
    SimulationEffects *m_effects = nullptr;
};

} // namespace meshwright
