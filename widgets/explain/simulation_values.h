// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "formulas/derivation.h"
#include "sensitivity/explain_influence.h"
#include "sensitivity/simulations.h"

#include <QString>
#include <QStringList>

#include <map>
#include <memory>
#include <optional>

namespace meshwright {

/// Runs the simulations in a figure's derivation with other input values, each on the plan that its node belongs to.
/// Not thread-safe.
class SimulationValues {
public:
    /// @param plans  results that the tree is derived from, as in resultOfNode(); null pointers if no simulation in the
    /// tree belongs to a plan
    /// @param varied  results of the varied plans, as in resultOfNode()
    SimulationValues(FigureRef figure, ResultPair plans, ResultPair varied);

    /// Nothing if the simulation cannot run with these inputs. @param names  node names from the figure down to the
    /// node
    std::optional<double> valueOf(const QStringList &names, const Derivation &node);

private:
    FigureRef m_figure;
    ResultPair m_plans;
    ResultPair m_varied;
    std::map<const Result *, std::unique_ptr<Simulations>> m_simulations;
};

} // namespace meshwright
