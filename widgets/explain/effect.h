// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"
#include "formulas/derivation.h"
#include "sensitivity/sensitivity.h"

#include <QStringList>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace meshwright {

class SimulationValues;

/// Nodes from a figure down to one of its direct or indirect inputs.
using NodePath = std::vector<const Derivation *>;

/// Whether a node is an integer count, which grows in whole units.
bool isWhole(const Derivation &node);
/// Value of a node after growing by 10%; a count is rounded up to the next integer.
double grownValue(const Derivation &node);

/// Whether a node is calculated from its inputs by a formula.
bool isComputed(const Derivation &node);
/// Whether two nodes are the same quantity, wherever they occur.
bool isSameInput(const Derivation &a, const Derivation &b);
/// Value of a node's formula for these inputs. Nothing if the formula cannot be parsed, an input is missing or the
/// value is not finite.
/// @param inputs  returns the value of an input by its name
std::optional<double> valueOver(const Derivation &node,
                                const std::function<std::optional<double>(std::string_view)> &inputs);

/// Whether a simulation lies between the figure and the last node. The effect of the last node can then only be found
/// by running the simulation again.
bool passesSimulation(const NodePath &path);
/// Copy of a simulation's node that holds only the values of its inputs, one of them replaced.
Derivation askedWith(const Derivation &node, const Derivation &input, double value);

/// Value of a figure if the last node of the path has this value and everything else is unchanged: evaluates every
/// formula on the path again and runs every simulation again. A node that occurs in several places changes only in this
/// one. Nothing if a formula cannot be parsed or its value is not finite.
/// @pre the path is not empty, and each node is an input of the one before
/// @param simulations  null: the effect is empty if the path contains a simulation
std::optional<double> figureWith(const NodePath &path, double value, SimulationValues *simulations = nullptr);

/// Relative change of the figure if the node grows by 10%. Nothing if the node or the figure is 0, or if figureWith()
/// returns nothing.
std::optional<double> effectOfGrowth(const NodePath &path, SimulationValues *simulations = nullptr);

/// Effect of one input on a figure, and where the input first occurs: node names from the figure down.
struct InnerInfluence {
    Influence influence;
    QStringList nodes;
};

/// Effects of all direct and indirect inputs on a figure if each grows by 10% wherever it occurs, largest change first.
/// If a formula depends on a simulation, the result of the simulation is varied. Empty for a figure without a formula
/// and for one with more inputs than can be varied one by one.
std::vector<InnerInfluence> influencesWithin(const Derivation &figure);

/// Plots the figure against the value of the node, from a quarter to four times its current value. Nothing if the
/// figure does not change or cannot be evaluated.
std::optional<ChartView> figureCurve(const NodePath &path, SimulationValues *simulations = nullptr);

} // namespace meshwright
