// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/figure_trees.h"

#include "evaluate/evaluate.h"
#include "explain/explain.h"
#include "explain/growth_derivation.h"
#include "explain/simulation_values.h"
#include "figures/figure_ref.h"
#include "gantt/schedule_runner.h"
#include "plan/outer_symmetry.h"
#include "plan/plan_json.h"
#include "sensitivity/explain_influence.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace meshwright {

namespace {

ExplainedTree shared(Derivation tree, std::shared_ptr<const Result> result,
                     std::shared_ptr<const Result> before = nullptr) {
    return {std::make_shared<const Derivation>(std::move(tree)), nullptr, std::move(result), std::move(before), {}};
}

std::shared_ptr<const Result> evaluated(const Plan &plan, Depth depth) {
    return std::make_shared<const Result>(evaluate(plan, depth));
}

/// Skips slow simulations, which only plans with several sites need.
Depth depthFor(const Plan &plan) {
    return is_slow_to_follow(plan) ? Depth::comparison : Depth::numbers;
}

ExplainedTree explainedSchedule(const FigureSources &sources, const QString &name) {
    const std::vector<std::string> &names = schedule_names();
    const auto found = std::find(names.begin(), names.end(), name.toStdString());
    if (found == names.end())
        return {};
    const ScheduleVariant variant =
        variantOf(sources.result->plan, static_cast<Schedule>(std::distance(names.begin(), found)));
    const auto run = std::find_if(sources.runs.begin(), sources.runs.end(),
                                  [&](const auto &each) { return each->plan == variant.plan; });
    const std::shared_ptr<const PlanPipeline> pipeline =
        run != sources.runs.end() ? (*run)->pipeline : runSchedule(variant).pipeline;
    if (!pipeline)
        return {};
    const std::shared_ptr<const Result> result =
        variant.plan == sources.result->plan ? sources.result : evaluated(variant.plan, depthFor(variant.plan));
    return shared(explain(*result, *pipeline), result);
}

/// Derivation of the current plan's result: the known one, or a new one.
Derivation presentTree(const FigureSources &sources) {
    const auto known = sources.known.find({});
    return known != sources.known.end() && known->second.result == sources.result && known->second.tree
        ? *known->second.tree
        : explain(*sources.result);
}

/// Derivations of a plan's figures, and of the same figures after a merge patch is applied to the plan.
ExplainedTree explainedChange(const FigureSources &sources, const Library &library, const QString &patch) {
    const auto change = nlohmann::ordered_json::parse(patch.toStdString(), nullptr, false);
    if (!sources.document || !change.is_object())
        return {};
    nlohmann::ordered_json document = *sources.document;
    document.merge_patch(change);
    const PlanReading reading = read_plan(document, library);
    if (!reading.valid())
        return {};
    const std::shared_ptr<const Result> changed = evaluated(reading.plan, depthFor(reading.plan));
    return shared(explain_both(presentTree(sources), explain(*changed)), changed, sources.result);
}

ExplainedTree explainedSinceOpened(const FigureSources &sources) {
    return sources.opened
        ? shared(explain_both(explain(*sources.opened), presentTree(sources)), sources.result, sources.opened)
        : ExplainedTree();
}

/// Adds the derivation of one figure's change to the tree of both plans.
ExplainedTree withGains(ExplainedTree both, const QString &figure) {
    if (!both.tree)
        return both;
    std::string name = identifier(figure.toStdString());
    for (const std::string_view prefix : {"gain_share_", "gain_"})
        if (name.starts_with(prefix)) {
            name = name.substr(prefix.size());
            break;
        }
    Derivation gains;
    gains.inputs = explain_gains(*both.tree, name);
    both.own = std::make_shared<const Derivation>(std::move(gains));
    return both;
}

ExplainedTree explainedPlan(const FigureSources &sources, const scope::ViewPlan &known) {
    const auto found = sources.plans.find(known);
    if (found == sources.plans.end())
        return {};
    const auto result = std::make_shared<const Result>(evaluate_as_run(*found->second, depthFor(*found->second)));
    return shared(explain(*result), result);
}

ExplainedTree explained(const FigureSources &sources, const Library &library, const FigureRef &figure);

/// The tree that contains a figure: the known one, or a new one.
ExplainedTree treeOf(const FigureSources &sources, const Library &library, const FigureRef &figure) {
    const auto known = sources.known.find(figureTreeOf(figure));
    return known != sources.known.end() ? known->second : explained(sources, library, figure);
}

/// Effect of varying an input on a figure of any plan.
ExplainedTree explainedVariation(const FigureSources &sources, const Library &library,
                                 const scope::Variation &variation) {
    const ExplainedTree base = treeOf(sources, library, *variation.figure);
    const Derivation *const figure = figureIn(base, *variation.figure);
    if (figure == nullptr)
        return {};
    std::optional<ExplainedInfluence> found = explain_influence(influenceQuestion(base, figure->name),
                                                                {.pointer = variation.pointer.toStdString(),
                                                                 .from = variation.from.toStdString(),
                                                                 .to = variation.to.toStdString()});
    if (!found)
        return {};
    ExplainedTree tree = shared(std::move(found->tree), found->plans.after, found->plans.before);
    tree.varied = found->varied;
    return tree;
}

/// Effect on a figure of increasing one of its nodes.
ExplainedTree explainedGrowth(const FigureSources &sources, const Library &library, const scope::Growth &growth) {
    const ExplainedTree base = treeOf(sources, library, *growth.figure);
    const Derivation *const figure = figureIn(base, *growth.figure);
    if (figure == nullptr)
        return {};
    SimulationValues simulations(*growth.figure, {base.before, base.result}, base.varied);
    std::optional<Derivation> made = growthDerivation(*figure, growth, &simulations);
    if (!made)
        return {};
    ExplainedTree tree = shared(std::move(*made), base.result, base.before);
    tree.varied = base.varied;
    return tree;
}

/// The tree that compares the plan before and after a suggested change, or before and after all edits since the plan
/// was opened. If `figure` names a single figure, adds its gain.
ExplainedTree explainedBoth(const FigureSources &sources, const Library &library, const FigureRef &figure) {
    const FigureRef all = figure.named({});
    const auto known = sources.known.find(all);
    const auto *const change = figure.of<scope::Change>();
    const ExplainedTree both = known != sources.known.end() ? known->second
        : change != nullptr                                 ? explainedChange(sources, library, change->patch)
                                                            : explainedSinceOpened(sources);
    return figureTreeOf(figure) == all ? both : withGains(both, figure.name());
}

ExplainedTree explained(const FigureSources &sources, const Library &library, const FigureRef &figure) {
    if (const auto *const growth = figure.of<scope::Growth>())
        return explainedGrowth(sources, library, *growth);
    if (const auto *const variation = figure.of<scope::Variation>())
        return explainedVariation(sources, library, *variation);
    if (const auto *const known = figure.of<scope::ViewPlan>())
        return explainedPlan(sources, *known);
    if (const auto *const schedule = figure.of<scope::Schedule>())
        return explainedSchedule(sources, schedule->name);
    if (figure.of<scope::Change>() || figure.of<scope::Opened>())
        return explainedBoth(sources, library, figure);
    if (!figure.of<scope::Sites>())
        return shared(explain(*sources.result), sources.result);
    return sources.sites && sources.sites->question.plan == sources.result->plan && sources.result->outer
        ? shared(explain(*sources.result, sources.sites->runs), sources.result)
        : ExplainedTree();
}

} // namespace

std::shared_ptr<const Derivation> ExplainedTree::kept() const {
    if (own == nullptr)
        return tree;
    auto both = std::make_shared<const std::array<std::shared_ptr<const Derivation>, 2>>(std::array{tree, own});
    return {both, tree.get()};
}

const Derivation *figureIn(const ExplainedTree &explained, const FigureRef &figure) {
    if (!explained.tree)
        return nullptr;
    const std::string name = identifier(figure.name().toStdString());
    const bool isChange = figure.of<scope::Change>() != nullptr;
    if (explained.own)
        for (const std::string &own : {isChange ? "gain_" + name : name, name})
            if (const Derivation *const gain = find_figure(*explained.own, own))
                return gain;
    return find_figure(*explained.tree, name);
}

std::shared_ptr<const Result> resultOfNode(const NodePlaces &places, const ResultPair &plans,
                                           const ResultPair &varied) {
    if (const auto *const growth = places.figure.of<scope::Growth>())
        // Below "after" and "before" are the nodes of the figure that the increase affects.
        return resultOfNode({*growth->figure, QStringList((*growth->figure).name()) + places.names.mid(2)}, plans,
                            varied);
    const auto begins = [](const QString &name, std::string_view prefix) {
        return name.startsWith(QLatin1String(prefix.data(), static_cast<int>(prefix.size())));
    };
    if (varied.after != nullptr) {
        // The tree contains the change twice, before and after the variation. Each copy contains the figures of both
        // plans.
        if (begins(places.names.value(0), varied_prefix))
            return resultOfNode({{}, QStringList(places.names[0].mid(varied_prefix.size())) + places.names.mid(1)},
                                varied, {});
        const bool isOfBoth = places.names.value(0).count(QLatin1String("gain_")) > 1;
        if (isOfBoth && places.names.size() > 1)
            return resultOfNode({{}, places.names.mid(1)}, places.names[1] == QLatin1String("after") ? varied : plans,
                                {});
    }
    const bool isAfter = plans.before == nullptr || begins(places.names.value(0), changed_prefix)
        || places.names.value(1) == QLatin1String("after");
    return isAfter ? plans.after : plans.before;
}

InfluenceQuestion influenceQuestion(const ExplainedTree &explained, const std::string &figure) {
    if (explained.varied.after != nullptr)
        return {}; // a varied change is not varied again
    if (explained.before == nullptr)
        return {explained.result, nullptr, figure};
    for (const std::string_view prefix : {"gain_share_", "gain_"})
        if (figure.starts_with(prefix))
            return {explained.result, explained.before, figure.substr(prefix.size()), prefix == "gain_share_"};
    constexpr std::string_view changed("changed_");
    return figure.starts_with(changed) ? InfluenceQuestion{explained.result, nullptr, figure.substr(changed.size())}
                                       : InfluenceQuestion{explained.before, nullptr, figure};
}

FigureRef figureTreeOf(const FigureRef &figure) {
    // All figures of a changed plan share one tree; the change of a single figure has its own tree.
    const bool ofOneFigure = ((figure.of<scope::Change>() || figure.of<scope::Opened>()) && !figure.isOfChanged())
        || figure.of<scope::Count>() || figure.of<scope::Growth>();
    return ofOneFigure ? figure : figure.named({});
}

FigureTrees explainTrees(const FigureSources &sources, const Library &library) {
    FigureTrees trees;
    FigureSources all = sources;
    const auto work = [&](const FigureRef &figure) {
        const FigureRef key = figureTreeOf(figure);
        const auto known = all.known.find(key);
        trees[key] = known != all.known.end() ? known->second : explained(all, library, figure);
        all.known[key] = trees[key];
    };
    for (const FigureRef &figure : sources.wanted) {
        // The changes of several figures are all taken from one tree.
        if (figure.of<scope::Change>() || figure.of<scope::Opened>())
            work(figure.named(QStringLiteral("changed_")));
        work(figure);
    }
    return trees;
}

} // namespace meshwright
