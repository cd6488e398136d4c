// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/simulation_effects.h"

#include "explain/simulation_values.h"

#include <QTimer>

#include <utility>

namespace meshwright {

SimulationEffects::SimulationEffects(QObject *parent)
    : QObject(parent)
    , m_worker(this, &SimulationEffects::workOut, [this](const Effects &effects) {
        for (const auto &[path, effect] : effects)
            m_effects[path] = effect;
        Q_EMIT found();
        ask();
    }) { }

void SimulationEffects::showFigure(const FigureBook::Found &found, const FigureRef &figure) {
    if (found.tree == m_found.tree && found.figure == m_found.figure && figure == m_figure)
        return;
    m_worker.cancel();
    m_found = found;
    m_figure = figure;
    m_effects.clear();
    m_waiting.clear();
}

std::optional<double> SimulationEffects::effectOf(const NodePath &path) {
    if (m_found.result == nullptr || path.front() != m_found.figure)
        return std::nullopt;
    const auto [place, isNew] = m_effects.try_emplace(path);
    if (isNew) {
        m_waiting.push_back(path);
        // Collect the requests of a whole page of rows into one question.
        if (m_waiting.size() == 1)
            QTimer::singleShot(0, this, &SimulationEffects::ask);
    }
    return place->second;
}

void SimulationEffects::ask() {
    if (!m_waiting.empty() && !m_worker.isBusy())
        m_worker.ask({m_found, m_figure, std::exchange(m_waiting, {})});
}

SimulationEffects::Effects SimulationEffects::workOut(const Question &question, const std::stop_token &stop) {
    SimulationValues simulations(question.figure, {question.found.before, question.found.result},
                                 question.found.variedPlans);
    Effects effects;
    for (const NodePath &path : question.nodes) {
        if (stop.stop_requested())
            break;
        effects[path] = effectOfGrowth(path, &simulations);
    }
    return effects;
}

} // namespace meshwright
