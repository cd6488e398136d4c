// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/explain_influence.h"
#include "evaluate/simulations.h"
#include "figures/figure_ref.h"
#include "formulas/derivation.h"

#include <QString>
#include <QStringList>

#include <map>
#include <memory>
#include <optional>

namespace meshwright {

/// Runs the procedures in a figure's derivation with other values of their inputs, each on the plan that its node is
/// of. For one thread at a time.
class SimulationValues {
public:
    /// @param plans  and `varied`: as in resultOfNode(); nulls where no plan's procedures are in its tree
    SimulationValues(FigureRef figure, ResultPair plans, ResultPair varied);

    /// Nothing where the procedure cannot be run so. @param names  from the figure down to the node
    std::optional<double> valueOf(const QStringList &names, const Derivation &node);

private:
    FigureRef m_figure;
    ResultPair m_plans;
    ResultPair m_varied;
    std::map<const Result *, std::unique_ptr<Simulations>> m_procedures;
};

} // namespace meshwright
