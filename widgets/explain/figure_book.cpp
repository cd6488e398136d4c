// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/figure_book.h"

#include "explain/explain.h"
#include "explain/growth_derivation.h"
#include "figures/figure_ref.h"
#include "gantt/schedule_runner.h"
#include "narrative/paragraph.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

constexpr int idleAfter = 150; ///< idle milliseconds after an edit before unrequested derivations are calculated

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

std::optional<Derivation> FigureBook::derivedByView(const FigureRef &figure) const {
    const auto *const count = figure.of<scope::Count>();
    const auto source = count != nullptr ? m_derivations.find(count->view) : m_derivations.end();
    return source == m_derivations.end() ? std::nullopt : source->second(figure.name());
}

FigureRef FigureBook::resolved(const FigureRef &figure) const {
    const std::optional<Derivation> made = derivedByView(figure);
    return made && made->inputs.empty() && !made->figure.empty() ? referredFrom(figure, made->figure) : figure;
}

QString FigureBook::Found::paragraphOf(const Derivation &node) const {
    const Derivation *const own =
        result == nullptr ? nullptr : find_figure(*tree, node.figure.empty() ? node.name : node.figure);
    // A derivation of a change has nodes with the names of figures, but with values of another plan.
    return own == nullptr || own->value != node.value ? QString()
                                                      : QString::fromStdString(paragraph_about(*own, *result));
}

FigureBook::Found FigureBook::find(const FigureRef &asked) {
    const FigureRef ref = resolved(asked);
    if (ref.isEmpty())
        return {};
    const auto *const growth = ref.of<scope::Growth>();
    if (growth != nullptr && innermost(ref).of<scope::Count>())
        return growthInView(*growth);
    if (ref.of<scope::Count>()) {
        std::optional<Derivation> made = derivedByView(ref);
        const auto tree = made ? std::make_shared<const Derivation>(std::move(*made)) : nullptr;
        return {tree, tree.get()};
    }
    const ExplainedTree *const explained = treeOf(ref);
    const Derivation *const figure = explained == nullptr ? nullptr : figureIn(*explained, ref);
    if (figure == nullptr)
        return {};
    const InfluenceQuestion varied =
        growth != nullptr ? InfluenceQuestion() : influenceQuestion(*explained, figure->name);
    return {explained->kept(), figure, varied, explained->result, explained->before, explained->varied};
}

/// A view's own derivations are requested in the view's thread.
FigureBook::Found FigureBook::growthInView(const scope::Growth &growth) {
    const Found base = find(*growth.figure);
    if (!base)
        return {};
    std::optional<Derivation> made = growthDerivation(*base.figure, growth, nullptr);
    const auto tree = made ? std::make_shared<const Derivation>(std::move(*made)) : nullptr;
    return {tree, tree.get()};
}

std::shared_ptr<const Derivation> FigureBook::planTree() {
    const ExplainedTree *const explained = treeOf({});
    return explained != nullptr ? explained->tree : nullptr;
}

bool FigureBook::isPending(const FigureRef &figure) const {
    return m_wanted.contains(figureTreeOf(resolved(figure)));
}

const ExplainedTree *FigureBook::treeOf(const FigureRef &figure) {
    if (!m_sources.result)
        return nullptr;
    const auto *const plan = innermost(figure).of<scope::ViewPlan>();
    if (plan != nullptr && !takePlan(*plan))
        return nullptr;
    const auto known = m_trees.find(figureTreeOf(figure));
    if (known != m_trees.end())
        return &known->second;
    want(figure);
    return nullptr;
}

/// Asks a view for its plan in the view's thread, before another thread derives its figures. If the view no longer
/// knows the plan, the previous one is kept. @returns whether the plan is known
bool FigureBook::takePlan(const scope::ViewPlan &known) {
    const auto source = m_plans.find(known.view);
    std::optional<Plan> plan = source == m_plans.end() ? std::nullopt : source->second(known.name);
    const auto kept = m_sources.plans.find(known);
    if (!plan)
        return kept != m_sources.plans.end();
    if (kept == m_sources.plans.end() || *kept->second != *plan) {
        m_sources.plans[known] = std::make_shared<const Plan>(std::move(*plan));
        // Drop derivations of the previous plan, and restart the calculation if it is running.
        std::erase_if(m_trees, [&](const auto &each) { return innermost(each.first).scope() == FigureScope(known); });
        if (m_worker.isBusy()) {
            m_worker.cancel();
            ask();
        }
    }
    return true;
}

void FigureBook::want(const FigureRef &figure) {
    if (!m_wanted.insert(figureTreeOf(figure)).second)
        return;
    m_sources.wanted.append(figure);
    // If the worker is busy, the figure is requested when the worker finishes.
    if (!m_worker.isBusy())
        ask();
}

void FigureBook::ask() {
    m_sources.wanted.removeIf([this](const FigureRef &figure) { return !m_wanted.contains(figureTreeOf(figure)); });
    if (m_sources.wanted.isEmpty())
        return;
    m_sources.known = m_trees;
    m_worker.ask(m_sources);
}

void FigureBook::receive(const FigureTrees &trees) {
    for (const auto &[key, explained] : trees) {
        m_trees[key] = explained;
        m_wanted.erase(key);
    }
    ask();
    Q_EMIT explained();
}

} // namespace meshwright
