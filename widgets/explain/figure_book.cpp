// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/figure_book.h"

#include "evaluate/explain.h"
#include "explain/growth_making.h"
#include "figures/figure_path.h"
#include "gantt/schedule_runner.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

constexpr int idleAfter = 150; ///< milliseconds

} // namespace

FigureBook::FigureBook(const Library &library, QObject *parent)
    : QObject(parent)
    , m_idle(new QTimer(this))
    , m_worker(
          this,
          [&library](const FigureSources &sources, const std::stop_token &) { return explainTrees(sources, library); },
          [this](const FigureTrees &trees) { receive(trees); }) {
    m_idle->setSingleShot(true);
    m_idle->setInterval(idleAfter);
    connect(m_idle, &QTimer::timeout, this, [this] { treeOf({}); });
}

void FigureBook::showPlan(const PlanView &view) {
    if (view.valid)
        m_sources.document = view.document;
    m_sources.opened = view.asOpened;
    if (view.result == m_sources.result)
        return;
    m_sources.result = view.result;
    m_worker.cancel();
    m_trees.clear();
    m_wanted.clear();
    m_sources.plans.clear();
    if (m_sources.result)
        m_idle->start();
}

void FigureBook::keepRuns(const std::vector<DrawnSchedule> &schedules) {
    m_sources.runs.clear();
    for (const DrawnSchedule &schedule : schedules)
        m_sources.runs.push_back(schedule.run);
}

void FigureBook::addMaker(QLatin1String view, Maker maker) {
    m_makers[figurepath::scopeOf(figurepath::ofView({}, view))] = std::move(maker);
}

std::optional<Derivation> FigureBook::madeByView(const QString &path) const {
    const QString scope = figurepath::scopeOf(path);
    const auto maker = figurepath::isOfView(scope) ? m_makers.find(scope) : m_makers.end();
    return maker == m_makers.end() ? std::nullopt : maker->second(figurepath::figureOf(path));
}

QString FigureBook::resolved(const QString &path) const {
    const std::optional<Derivation> made = madeByView(path);
    return made && made->inputs.empty() && !made->figure.empty() ? QString::fromStdString(made->figure) : path;
}

FigureBook::Found FigureBook::find(const QString &asked) {
    const QString path = resolved(asked);
    if (path.isEmpty())
        return {};
    const QString scope = figurepath::scopeOf(path);
    if (figurepath::isGrowth(scope) && figurepath::isOfView(figurepath::innermostScopeOf(path)))
        return growthInView(scope);
    if (figurepath::isOfView(scope)) {
        std::optional<Derivation> made = madeByView(path);
        const auto tree = made ? std::make_shared<const Derivation>(std::move(*made)) : nullptr;
        return {tree, tree.get()};
    }
    const ExplainedTree *const explained = treeOf(path);
    const Derivation *const figure = explained == nullptr ? nullptr : figureIn(*explained, path);
    if (figure == nullptr)
        return {};
    const InfluenceQuestion varied =
        figurepath::isGrowth(scope) ? InfluenceQuestion() : influenceQuestion(*explained, figure->name);
    return {explained->kept(), figure, varied, explained->result, explained->before, explained->varied};
}

/// What a view has counted is asked for in its own thread.
FigureBook::Found FigureBook::growthInView(const QString &scope) {
    const QString varied = figurepath::variedOf(scope);
    const Found base = find(varied);
    if (!base)
        return {};
    std::optional<Derivation> made = growthMaking(*base.figure, figurepath::grownOf(scope), varied, nullptr);
    const auto tree = made ? std::make_shared<const Derivation>(std::move(*made)) : nullptr;
    return {tree, tree.get()};
}

std::shared_ptr<const Derivation> FigureBook::planTree() {
    const ExplainedTree *const explained = treeOf({});
    return explained != nullptr ? explained->tree : nullptr;
}

bool FigureBook::isPending(const QString &path) const {
    return m_wanted.contains(figureTreeOf(resolved(path)));
}

const ExplainedTree *FigureBook::treeOf(const QString &path) {
    if (!m_sources.result)
        return nullptr;
    const QString scope = figurepath::innermostScopeOf(path);
    const bool isOfPlan = figurepath::isOfPlan(scope);
    if (isOfPlan && !takePlan(scope))
        return nullptr;
    const auto known = m_trees.find(figureTreeOf(path));
    if (known != m_trees.end())
        return &known->second;
    want(path);
    return nullptr;
}

/// What a view knows is asked for in its own thread, before it is explained in another. A view that no longer knows it
/// leaves what it was. @returns whether it is known
bool FigureBook::takePlan(const QString &scope) {
    const auto giver = m_plans.find(figurepath::viewOfPlan(scope));
    std::optional<Plan> plan = giver == m_plans.end() ? std::nullopt : giver->second(figurepath::planOf(scope));
    const auto kept = m_sources.plans.find(scope);
    if (!plan)
        return kept != m_sources.plans.end();
    if (kept == m_sources.plans.end() || *kept->second != *plan) {
        m_sources.plans[scope] = std::make_shared<const Plan>(std::move(*plan));
        // What was explained of the one before, or is being explained.
        std::erase_if(m_trees, [&](const auto &each) {
            return figurepath::innermostScopeOf(figurepath::of({}, each.first)) == scope;
        });
        if (m_worker.isBusy()) {
            m_worker.cancel();
            ask();
        }
    }
    return true;
}

void FigureBook::want(const QString &path) {
    const QString key = figureTreeOf(path);
    if (m_wanted.contains(key))
        return;
    m_wanted.insert(key);
    m_sources.wanted.append(path);
    // What is being explained is wanted too: the rest is asked for after it.
    if (!m_worker.isBusy())
        ask();
}

void FigureBook::ask() {
    m_sources.wanted.removeIf([this](const QString &path) { return !m_wanted.contains(figureTreeOf(path)); });
    if (m_sources.wanted.isEmpty())
        return;
    m_sources.known = m_trees;
    m_worker.ask(m_sources);
}

void FigureBook::receive(const FigureTrees &trees) {
    for (const auto &[key, explained] : trees) {
        m_trees[key] = explained;
        m_wanted.remove(key);
    }
    ask();
    Q_EMIT explained();
}

} // namespace meshwright
