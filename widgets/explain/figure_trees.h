// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "formulas/derivation.h"
#include "gantt/schedule_run.h"
#include "sensitivity/explain_influence.h"
#include "sensitivity/sensitivity.h"
#include "sites/sites_run.h"

#include <QString>
#include <QStringList>

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>
#include <vector>

namespace meshwright {

class Library;

/// A tree of derivations and the underlying results.
struct ExplainedTree {
    std::shared_ptr<const Derivation> tree; ///< null if there is nothing to derive
    /// For a change, the derivation whose inputs are the changes of a single figure; otherwise null.
    std::shared_ptr<const Derivation> own;
    std::shared_ptr<const Result> result; ///< for a change, the result of the changed plan
    std::shared_ptr<const Result> before; ///< for a change, the result of the plan before the change; otherwise null
    ResultPair varied; ///< if an input of a change is varied, the results of the varied plans; otherwise null

    /// The tree, which also keeps `own` alive.
    std::shared_ptr<const Derivation> kept() const;
};

/// Identifies a node, to find its plan.
struct NodePlaces {
    FigureRef figure; ///< the figure whose derivation is open
    QStringList names; ///< node names from the figure down to the node
};
/// The result whose plan contains the field of a node: in the derivation of a change, the result before or after it,
/// depending on the node. Null if unknown.
/// @param plans  the results underlying the tree; if there is only one, it is `after`
/// @param varied  results of the varied plans, as in ExplainedTree
std::shared_ptr<const Result> resultOfNode(const NodePlaces &places, const ResultPair &plans, const ResultPair &varied);

/// Trees of derivations by their key, see figureTreeOf().
using FigureTrees = std::map<FigureRef, ExplainedTree>;

/// The node of a figure; for a change, the node of the figure's change, if there is one. Null for none.
const Derivation *figureIn(const ExplainedTree &explained, const FigureRef &figure);

/// What the search for a figure's influences needs: the tree and the figure in it.
InfluenceQuestion influenceQuestion(const ExplainedTree &explained, const std::string &figure);

/// The inputs of all derivations, and the requested trees. All of it is shared and constant, so that another thread may
/// read it.
struct FigureSources {
    std::shared_ptr<const Result> result;
    std::shared_ptr<const Result> opened; ///< result of the plan when it was opened; may be null
    std::shared_ptr<const nlohmann::ordered_json> document; ///< JSON of the result's plan
    std::vector<std::shared_ptr<const ScheduleRun>> runs; ///< schedules that have already been simulated
    SitesRunPointer sites; ///< simulation of the sites that has already run; may be null
    std::map<scope::ViewPlan, std::shared_ptr<const Plan>> plans; ///< plans that views have named
    FigureTrees known; ///< trees that have already been calculated
    QList<FigureRef> wanted;
};

/// Key of the tree that contains a figure. There is one tree for the plan, and one for each schedule, the simulation of
/// the sites, the edits since the plan was opened, each suggested change, each plan of a view, each variation of an
/// input, and each increase of a node. The key names the figure if the tree is for this figure alone.
FigureRef figureTreeOf(const FigureRef &figure);

/// Calculates all requested trees; null if there is nothing to derive. Takes up to a second.
FigureTrees explainTrees(const FigureSources &sources, const Library &library);

} // namespace meshwright
