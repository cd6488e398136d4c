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

/// What nodes beneath procedures do to the figure that is shown where they are 10 % larger: for that the procedures are
/// run anew, on another thread.
class SimulationEffects : public QObject {
    Q_OBJECT

public:
    explicit SimulationEffects(QObject *parent = nullptr);

    void showFigure(const FigureBook::Found &found, const FigureRef &figure);
    /// Nothing where the node has none, and until it is worked out: then found() follows.
    /// @param path  nodes from the figure down, see passesSimulation()
    std::optional<double> effectOf(const NodePath &path);
    /// Whether all that was asked for is known.
    bool isSettled() const { return m_waiting.empty() && !m_worker.isBusy(); }

Q_SIGNALS:
    void found();

private:
    struct Question {
        FigureBook::Found found;
        FigureRef figure;
        std::vector<NodePath> nodes;
    };
    using Effects = std::map<const Derivation *, std::optional<double>>;
    static Effects workOut(const Question &question, const std::stop_token &stop);
    void ask();

    FigureBook::Found m_found;
    FigureRef m_figure;
    Effects m_effects; ///< of nodes of the tree; unset: asked for, or has none
    std::vector<NodePath> m_waiting;
    LatestWorker<Question, Effects> m_worker; ///< last: it ends before anything above goes
};

} // namespace meshwright
