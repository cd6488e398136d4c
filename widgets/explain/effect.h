// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"
#include "evaluate/sensitivity.h"
#include "formulas/derivation.h"

#include <QStringList>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace meshwright {

class SimulationValues;

/// Nodes from a figure down to one of its inputs' inputs.
using NodePath = std::vector<const Derivation *>;

/// Whether a node says how many whole things there are: then it grows by whole ones.
bool isWhole(const Derivation &node);
/// What a node comes to that is varied: 10 % more, up to the next whole number of whole things.
double grownValue(const Derivation &node);

/// Whether a formula over its inputs gives a node.
bool isComputed(const Derivation &node);
/// Whether two nodes are the same quantity, wherever they stand.
bool isSameInput(const Derivation &a, const Derivation &b);
/// What a node's formula gives where its inputs have these values. Nothing where it does not read, lacks one or gives
/// no finite value. @param inputs  by their names
std::optional<double> valueOver(const Derivation &node,
                                const std::function<std::optional<double>(std::string_view)> &inputs);

/// Whether a procedure stands between the figure and the last node: then only running it says what that one does.
bool passesSimulation(const NodePath &path);
/// A procedure's node with the values of its inputs alone, one of them another.
Derivation askedWith(const Derivation &node, const Derivation &input, double value);

/// What a figure comes to where the last node of the path has this value and all others are as they are: each formula
/// on the way up computed anew, each procedure run anew. A node that stands at several places changes at this one
/// alone. Nothing where a formula does not read or gives no finite value.
/// @pre the path is not empty, each node an input of the one before
/// @param procedures  null: nothing where the path passes one
std::optional<double> figureWith(const NodePath &path, double value, SimulationValues *procedures = nullptr);

/// Share by which the figure changes where the node has grown; nothing also where either of the two is 0.
std::optional<double> effectOfGrowth(const NodePath &path, SimulationValues *procedures = nullptr);

/// What an input of a figure's formulas does to it, and where it stands first: names from the figure down.
struct InnerInfluence {
    Influence influence;
    QStringList nodes;
};

/// What each input of a figure, however far down its own formulas lead, does to it where it has grown at all its
/// places, the largest change first. Where a formula ends at a procedure, that one's value is varied. Empty for a
/// figure without a formula, and for one of too many inputs to be told one by one.
std::vector<InnerInfluence> influencesWithin(const Derivation &figure);

/// The figure against the node's value, from a quarter of the present one to four times it. Nothing where that is no
/// curve.
std::optional<ChartView> figureCurve(const NodePath &path, SimulationValues *procedures = nullptr);

} // namespace meshwright
