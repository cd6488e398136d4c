// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/effect.h"
#include "explain/figure_book.h"
#include "figures/figure_ref.h"
#include "models/latest_worker.h"

#include <QObject>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace meshwright {

/// Effects on the shown figure if a node below a simulation grows by 10%. Repeats the simulations for each node, on
/// another thread.
class SimulationEffects : public QObject {
    Q_OBJECT

public:
    explicit SimulationEffects(QObject *parent = nullptr);

    void showFigure(const FigureBook::Found &found, const FigureRef &figure);
    /// Returns nothing if the node has no effect to show, or while the effect is being calculated; found() follows
    /// then.
    /// @param path  nodes from the figure down, see passesSimulation()
    std::optional<double> effectOf(const NodePath &path);
    /// Whether all requested effects are known.
    bool isSettled() const { return m_waiting.empty() && !m_worker.isBusy(); }

Q_SIGNALS:
    void found();

private:
    struct Question {
        FigureBook::Found found;
        FigureRef figure;
        std::vector<NodePath> nodes;
    };
    using Effects = std::map<NodePath, std::optional<double>>;
    static Effects workOut(const Question &question, const std::stop_token &stop);
    void ask();

    FigureBook::Found m_found;
    FigureRef m_figure;
    Effects m_effects; ///< effect of each node of the tree; unset while it is calculated, or if there is none
    std::vector<NodePath> m_waiting;
    /// Declared last, so that its thread stops before the other members are destroyed.
    LatestWorker<Question, Effects> m_worker;
};

} // namespace meshwright
