// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/simulation_values.h"

#include "explain/figure_trees.h"
#include "figures/figure_ref.h"

#include <utility>

namespace meshwright {

SimulationValues::SimulationValues(FigureRef figure, ResultPair plans, ResultPair varied)
    : m_figure(std::move(figure))
    , m_plans(std::move(plans))
    , m_varied(std::move(varied)) { }

std::optional<double> SimulationValues::valueOf(const QStringList &names, const Derivation &node) {
    const std::shared_ptr<const Result> owner = resultOfNode({m_figure, names}, m_plans, m_varied);
    if (owner == nullptr)
        return std::nullopt;
    std::unique_ptr<Simulations> &simulations = m_simulations[owner.get()];
    if (simulations == nullptr) {
        // If an input of the plan is varied, the measured runs are still predicted with the assumptions of the original
        // plan.
        const bool isVaried =
            m_plans.before != nullptr && m_varied.after == nullptr && m_figure.of<scope::Variation>() != nullptr;
        simulations = std::make_unique<Simulations>(
            *owner, isVaried ? KnownRuns::standard(m_plans.before->plan.own_assumptions()) : nullptr);
    }
    return simulations->value_of(node);
}

} // namespace meshwright
