// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "explain/effect.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>

class QTimer;

namespace meshwright {

class Card;
class InfluenceCard;
class InfluenceRunner;
class LineChart;
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
    LineChart *chart() const { return m_chart; }

    /// Has the plan evaluated with each of its inputs changed, unless figure and result are those that are shown.
    /// Without a result nothing is varied.
    void showFigure(const std::shared_ptr<const Result> &result, const Derivation &figure);
    /// @param path  nodes from the figure down to the chosen one
    /// @param elsewhere  the tree has the node's making, but not under this node
    void showNode(const NodePath &path, bool elsewhere);
    void setFieldQuestion(const std::function<bool(const QString &)> &hasField);

private:
    std::shared_ptr<const Result> m_result;
    std::string m_figure;
    QString m_title;
    InfluenceRunner *m_runner;
    QTimer *m_late; ///< runs until varying takes long enough to be announced
    NodeCard *m_node;
    InfluenceCard *m_influences;
    Card *m_curve;
    LineChart *m_chart;
};

} // namespace meshwright
