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

/// The derivation of every figure that the window shows: of the plan's result, of schedules that its pipeline is
/// executed with, of changes that are offered. Explains what it is asked about once, on another thread.
class FigureBook : public QObject {
    Q_OBJECT

public:
    /// @param library  that documents' presets are of; it outlives the book
    explicit FigureBook(const Library &library, QObject *parent = nullptr);

    void showPlan(const PlanView &view);
    /// What has been executed and simulated already need not be again.
    void keepRuns(const std::vector<DrawnSchedule> &schedules);
    void keepSites(const SitesRunPointer &run) { m_sources.sites = run; }

    /// Gives the derivation of a figure that a view has counted or measured itself, from what it shows at the moment.
    using Maker = std::function<std::optional<Derivation>(const QString &figure)>;
    void addMaker(FigureView view, Maker maker) { m_makers[view] = std::move(maker); }

    /// Gives a plan that a view knows by a name of its own, from what it shows at the moment.
    using PlanGiver = std::function<std::optional<Plan>(const QString &plan)>;
    void addPlans(FigureView view, PlanGiver giver) { m_plans[view] = std::move(giver); }

    const std::shared_ptr<const Result> &result() const { return m_sources.result; }
    /// Of the plan's result; null without one, and until it is explained.
    std::shared_ptr<const Derivation> planTree();

    struct Found {
        std::shared_ptr<const Derivation> tree; ///< that explains what the figure refers to
        const Derivation *figure = nullptr;
        InfluenceQuestion varied = {}; ///< what would change it; without a result where that is its formulas alone
        std::shared_ptr<const Result> result = {}; ///< that the tree is of, as in ExplainedTree; null for a view's own
        std::shared_ptr<const Result> before = {};
        ResultPair variedPlans = {}; ///< as `varied` in ExplainedTree
        explicit operator bool() const { return figure != nullptr; }
    };
    /// Nothing where the figure has no derivation; nor while it is being worked out: then explained() follows.
    /// @param asked  in the tree of a change also one that is no gain
    Found find(const FigureRef &asked);
    /// The figure itself; of a view's figure that another one is, that one.
    FigureRef resolved(const FigureRef &figure) const;
    /// Whether what find() says of it is still to come.
    bool isPending(const FigureRef &figure) const;
    bool isBusy() const { return !m_wanted.empty(); }

Q_SIGNALS:
    /// Some of what was asked for is known now.
    void explained();

private:
    /// Null where it is not worked out.
    const ExplainedTree *treeOf(const FigureRef &figure);
    bool takePlan(const scope::ViewPlan &known);
    Found growthInView(const scope::Growth &growth);
    std::optional<Derivation> madeByView(const FigureRef &figure) const;
    void want(const FigureRef &figure);
    void ask();
    void receive(const FigureTrees &trees);

    FigureSources m_sources;
    FigureTrees m_trees;
    std::map<FigureView, Maker> m_makers;
    std::map<FigureView, PlanGiver> m_plans;
    std::set<FigureRef> m_wanted; ///< of each tree that is to come
    QTimer *m_idle; ///< after an edit nobody may ask; while edits follow one another nothing is explained unasked
    LatestWorker<FigureSources, FigureTrees> m_worker; ///< last: it ends before anything above goes
};

} // namespace meshwright
