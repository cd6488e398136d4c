// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/figure_trees.h"
#include "figures/figure_ref.h"
#include "models/latest_worker.h"
#include "views/plan_view.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

class QTimer;

namespace meshwright {

struct DrawnSchedule;

/// Derivations of all figures in the window: those of the plan's result, its pipeline schedules and suggested changes.
/// Calculates each derivation once, on request, on another thread.
class FigureBook : public QObject {
    Q_OBJECT

public:
    /// @param library  resolves the presets of documents; must outlive the book
    explicit FigureBook(const Library &library, QObject *parent = nullptr);

    void showPlan(const PlanView &view);
    /// Stores simulations that have already run, so that they need not run again.
    void keepRuns(const std::vector<DrawnSchedule> &schedules);
    void keepSites(const SitesRunPointer &run) { m_sources.sites = run; }

    /// Returns the derivation of a figure that a view counted or measured in its current contents.
    using DerivationSource = std::function<std::optional<Derivation>(const QString &figure)>;
    void addDerivations(FigureView view, DerivationSource source) { m_derivations[view] = std::move(source); }

    /// Returns the plan to which a view currently gives this name.
    using PlanSource = std::function<std::optional<Plan>(const QString &plan)>;
    void addPlans(FigureView view, PlanSource source) { m_plans[view] = std::move(source); }

    const std::shared_ptr<const Result> &result() const { return m_sources.result; }
    /// Derivation of the plan's result; null without a result and until the derivation is calculated.
    std::shared_ptr<const Derivation> planTree();

    struct Found {
        std::shared_ptr<const Derivation> tree; ///< contains the derivation of the figure
        const Derivation *figure = nullptr;
        InfluenceQuestion varied = {}; ///< influences to calculate; from formulas only if there is no result
        /// The result from which the tree is derived, as in ExplainedTree; null for a view's own figure.
        std::shared_ptr<const Result> result = {};
        std::shared_ptr<const Result> before = {};
        ResultPair variedPlans = {}; ///< results of the varied plans, as in ExplainedTree::varied
        explicit operator bool() const { return figure != nullptr; }
        /// The paragraph about a node that is a figure of the result; empty for other nodes.
        QString paragraphOf(const Derivation &node) const;
    };
    /// The derivation of a figure. Empty if the figure has none, or if it is still being calculated, in which case
    /// explained() follows.
    /// @param asked  figure to find; if it belongs to a suggested change, it may be any figure in the change's
    /// derivation, not only the gain
    Found find(const FigureRef &asked);
    /// The figure itself, or the figure to which a view's figure refers.
    FigureRef resolved(const FigureRef &figure) const;
    /// Whether find() will give a derivation later.
    bool isPending(const FigureRef &figure) const;
    bool isBusy() const { return !m_wanted.empty(); }

Q_SIGNALS:
    /// Some of the requested derivations are available now.
    void explained();

private:
    /// Null if it is not calculated yet.
    const ExplainedTree *treeOf(const FigureRef &figure);
    bool takePlan(const scope::ViewPlan &known);
    Found growthInView(const scope::Growth &growth);
    std::optional<Derivation> derivedByView(const FigureRef &figure) const;
    void want(const FigureRef &figure);
    void ask();
    void receive(const FigureTrees &trees);

    FigureSources m_sources;
    FigureTrees m_trees;
    std::map<FigureView, DerivationSource> m_derivations;
    std::map<FigureView, PlanSource> m_plans;
    std::set<FigureRef> m_wanted; ///< keys of the trees being calculated
    QTimer *
        m_idle; ///< when the user pauses between edits, starts calculating derivations that have not been requested yet
    /// Declared last, so that its thread stops before the other members are destroyed.
    LatestWorker<FigureSources, FigureTrees> m_worker;
};

} // namespace meshwright
