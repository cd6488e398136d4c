// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/explain_influence.h"
#include "evaluate/sensitivity.h"
#include "figures/figure_ref.h"
#include "formulas/derivation.h"
#include "gantt/schedule_run.h"
#include "sites/sites_run.h"

#include <QString>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>
#include <vector>

namespace meshwright {

class Library;

/// An explanation, and the results that it is of.
struct ExplainedTree {
    std::shared_ptr<const Derivation> tree; ///< null where there is nothing to explain
    std::shared_ptr<const Derivation> own; ///< of a change: its inputs are what one figure gains; else null
    std::shared_ptr<const Result> result; ///< of a change: of the changed plan
    std::shared_ptr<const Result> before; ///< of a change, else null
    ResultPair varied; ///< where an input of a change's plans is varied, those; else nulls

    /// The tree, as long as anybody has it or what is its own.
    std::shared_ptr<const Derivation> kept() const;
};

/// Of which plan a node is.
struct NodePlaces {
    FigureRef figure; ///< that is opened
    QStringList names; ///< from the figure down to the node
};
/// The result whose plan's fields a node goes back to: of a change those of the plan before or after it. Null where it
/// is not known.
/// @param plans  what the tree is of: a result alone is the second of the pair
/// @param varied  as in ExplainedTree
std::shared_ptr<const Result> resultOfNode(const NodePlaces &places, const ResultPair &plans, const ResultPair &varied);

/// Trees of explanations, by what they are of: see figureTreeOf().
using FigureTrees = std::map<FigureRef, ExplainedTree>;

/// The node that is meant: of a change the figure's gain where it has one. Null for none.
const Derivation *figureIn(const ExplainedTree &explained, const FigureRef &figure);

/// What is to be varied for a figure of the tree.
InfluenceQuestion influenceQuestion(const ExplainedTree &explained, const std::string &figure);

/// What figures are explained from, and which trees are wanted. Everything in it is shared and constant, so that
/// another thread may read it.
struct FigureSources {
    std::shared_ptr<const Result> result;
    std::shared_ptr<const Result> opened; ///< of the plan as it was opened; may be null
    std::shared_ptr<const nlohmann::ordered_json> document; ///< of the result's plan
    std::vector<std::shared_ptr<const ScheduleRun>> runs; ///< that have been executed already
    SitesRunPointer sites; ///< that has been simulated already; may be null
    std::map<scope::ViewPlan, std::shared_ptr<const Plan>> plans; ///< that views know
    FigureTrees known; ///< that have been explained already
    QList<FigureRef> wanted;
};

/// Of which tree a figure is: one of the plan, one of each schedule, one of the runs of the sites, one of what edits
/// have changed, one of each change that is offered, one of each plan that a view knows, one of each variation, and one
/// of each growth. Named where it is of that figure alone.
FigureRef figureTreeOf(const FigureRef &figure);

/// All trees that are wanted; null where there is nothing to explain. Takes up to a second.
FigureTrees explainTrees(const FigureSources &sources, const Library &library);

} // namespace meshwright
