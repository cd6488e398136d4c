// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/effect.h"
#include "explain/figure_book.h"
#include "figures/figure_ref.h"
#include "models/latest_worker.h"
#include "sensitivity/sensitivity.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>

class QTimer;

namespace meshwright {

class Card;
class InfluenceCard;
class XyChart;
class NodeCard;
class TextLabel;

/// The column next to the tree: details of the selected node, the figure's most influential inputs, and the figure
/// plotted against the selected node.
class ExplainSide : public QWidget {
    Q_OBJECT

public:
    explicit ExplainSide(QWidget *parent = nullptr);

    NodeCard *node() const { return m_node; }
    InfluenceCard *influences() const { return m_influences; }
    /// Whether the influences and the plot are up to date.
    bool isSettled() const;
    XyChart *chart() const { return m_chart; }

    /// Finds the most influential inputs of a figure by evaluating the plan with each input changed, unless they are
    /// already shown or being evaluated. Without a plan, they are calculated from the figure's own formulas.
    /// @param found  must not be empty
    void showFigure(const FigureBook::Found &found, const FigureRef &figure);
    /// @param path  nodes from the figure down to the selected node
    /// @param elsewhere  whether the node's derivation is in another place in the tree, not below this node
    /// @param fieldTitle  label of the button that opens the field, as in NodeCard
    void showNode(const NodePath &path, bool elsewhere, const QString &fieldTitle);
    /// The paragraph about a node of the shown figure; empty if it has none.
    QString paragraphOf(const Derivation &node) const { return m_found.paragraphOf(node); }
    void setFieldQuestion(const std::function<bool(const QString &)> &hasField);

private:
    /// Request for a plot of a figure against a node below one of its simulations.
    struct CurveQuestion {
        FigureBook::Found found;
        FigureRef figure;
        NodePath nodes;
    };
    void receive(const std::vector<Influence> &influences);
    void showCurve(const std::optional<ChartView> &view);

    FigureBook::Found m_found;
    FigureRef m_figure;
    QString m_title;
    QTimer *m_late; ///< delay before the card shows that it is computing
    NodeCard *m_node;
    InfluenceCard *m_influences;
    Card *m_curve;
    XyChart *m_chart;
    /// The workers are declared last, so that their threads stop before the other members are destroyed.
    LatestWorker<InfluenceQuestion, std::vector<Influence>> m_worker;
    LatestWorker<CurveQuestion, std::optional<ChartView>> m_curveWorker;
};

} // namespace meshwright
