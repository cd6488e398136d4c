// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/sensitivity.h"
#include "explain/effect.h"
#include "explain/figure_book.h"
#include "figures/figure_ref.h"
#include "models/latest_worker.h"

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

/// What stands beside the tree: the chosen node in full, what would change the figure most, and the figure against the
/// chosen node.
class ExplainSide : public QWidget {
    Q_OBJECT

public:
    explicit ExplainSide(QWidget *parent = nullptr);

    NodeCard *node() const { return m_node; }
    InfluenceCard *influences() const { return m_influences; }
    /// Whether what would change the figure most is known.
    bool isSettled() const;
    XyChart *chart() const { return m_chart; }

    /// Has the plans evaluated with each of their inputs changed, unless figure and question are those that are shown.
    /// What no plan says is answered by the figure's own formulas.
    /// @param found  not nothing
    void showFigure(const FigureBook::Found &found, const FigureRef &figure);
    /// @param path  nodes from the figure down to the chosen one
    /// @param elsewhere  the tree has the node's derivation, but not under this node
    /// @param fieldTitle  as in NodeCard
    void showNode(const NodePath &path, bool elsewhere, const QString &fieldTitle);
    void setFieldQuestion(const std::function<bool(const QString &)> &hasField);

private:
    /// A figure against a node beneath a procedure of it.
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
    QTimer *m_late; ///< runs until varying takes long enough to be announced
    NodeCard *m_node;
    InfluenceCard *m_influences;
    Card *m_curve;
    XyChart *m_chart;
    LatestWorker<InfluenceQuestion, std::vector<Influence>> m_worker; ///< last: they end before anything above goes
    LatestWorker<CurveQuestion, std::optional<ChartView>> m_curveWorker;
};

} // namespace meshwright
