// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/figure_trees.h"

#include "controls/figure_path.h"
#include "evaluate/evaluate.h"
#include "evaluate/explain.h"
#include "evaluate/explain_influence.h"
#include "gantt/schedule_runner.h"
#include "plan/outer_symmetry.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

ExplainedTree shared(Derivation tree, std::shared_ptr<const Result> result,
                     std::shared_ptr<const Result> before = nullptr) {
    return {std::make_shared<const Derivation>(std::move(tree)), std::move(result), std::move(before)};
}

std::shared_ptr<const Result> evaluated(const Plan &plan, Depth depth) {
    return std::make_shared<const Result>(evaluate(plan, depth));
}

/// What differs in time only between sites is not simulated at length for a figure of one site.
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

ExplainedTree explainedChange(const FigureSources &sources, const Library &library, const QString &figure,
                              const QString &patch) {
    const auto change = nlohmann::ordered_json::parse(patch.toStdString(), nullptr, false);
    if (!sources.document || !change.is_object())
        return {};
    nlohmann::ordered_json document = *sources.document;
    document.merge_patch(change);
    const PlanReading reading = read_plan(document, library);
    if (!reading.valid())
        return {};
    const std::shared_ptr<const Result> changed = evaluated(reading.plan, depthFor(reading.plan));
    return shared(explain_change(*sources.result, *changed, figure.toStdString()), changed, sources.result);
}

ExplainedTree explainedPlan(const FigureSources &sources, const QString &scope) {
    const auto found = sources.plans.find(scope);
    if (found == sources.plans.end())
        return {};
    const auto result = std::make_shared<const Result>(evaluate_as_run(*found->second, depthFor(*found->second)));
    return shared(explain(*result), result);
}

ExplainedTree explained(const FigureSources &sources, const Library &library, const QString &path);

/// What varying an input does to a figure, whatever plan that is of.
ExplainedTree explainedVariation(const FigureSources &sources, const Library &library, const QString &scope) {
    const QString varied = figurepath::variedOf(scope);
    const auto known = sources.known.find(figureTreeOf(varied));
    const ExplainedTree base = known != sources.known.end() ? known->second : explained(sources, library, varied);
    const Derivation *const figure = base.tree ? figureIn(*base.tree, varied) : nullptr;
    if (figure == nullptr)
        return {};
    const figurepath::VariedInput input = figurepath::inputOf(scope);
    std::optional<ExplainedInfluence> found = explain_influence(
        influenceQuestion(base, figure->name),
        {.pointer = input.pointer.toStdString(), .from = input.from.toStdString(), .to = input.to.toStdString()});
    return found ? shared(std::move(found->tree), found->after, found->before) : ExplainedTree();
}

ExplainedTree explained(const FigureSources &sources, const Library &library, const QString &path) {
    const QString scope = figurepath::scopeOf(path);
    if (figurepath::isVariation(scope))
        return explainedVariation(sources, library, scope);
    const QString figure = figurepath::figureOf(path);
    if (scope.isEmpty())
        return shared(explain(*sources.result), sources.result);
    if (figurepath::isOfPlan(scope))
        return explainedPlan(sources, scope);
    if (figurepath::isChange(scope))
        return explainedChange(sources, library, figure, scope);
    if (scope == figurepath::sites)
        return sources.sites && sources.sites->question.plan == sources.result->plan && sources.result->outer
            ? shared(explain(*sources.result, sources.sites->runs), sources.result)
            : ExplainedTree();
    if (scope == figurepath::opened)
        return sources.opened ? shared(explain_change(*sources.opened, *sources.result, figure.toStdString()),
                                       sources.result, sources.opened)
                              : ExplainedTree();
    return explainedSchedule(sources, scope);
}

} // namespace

const Derivation *figureIn(const Derivation &tree, const QString &path) {
    const std::string name = identifier(figurepath::figureOf(path).toStdString());
    const Derivation *const gain =
        figurepath::isChange(figurepath::scopeOf(path)) ? find_figure(tree, "gain_" + name) : nullptr;
    return gain != nullptr ? gain : find_figure(tree, name);
}

std::shared_ptr<const Result> resultOfNode(const NodePlaces &places, const std::shared_ptr<const Result> &result,
                                           const std::shared_ptr<const Result> &before) {
    const QString scope = figurepath::scopeOf(places.path);
    if (figurepath::isGrowth(scope)) {
        // Beneath "after" and "before" stands the figure that grows.
        const QString varied = figurepath::variedOf(scope);
        return resultOfNode({varied, QStringList(figurepath::figureOf(varied)) + places.names.mid(2)}, result, before);
    }
    const bool isAfter = before == nullptr || places.names.value(0).startsWith(QLatin1String("changed_"))
        || places.names.value(1) == QLatin1String("after");
    return isAfter ? result : before;
}

InfluenceQuestion influenceQuestion(const ExplainedTree &explained, const std::string &figure) {
    if (explained.before == nullptr)
        return {explained.result, nullptr, figure};
    for (const std::string_view prefix : {"gain_share_", "gain_"})
        if (figure.starts_with(prefix))
            return {explained.result, explained.before, figure.substr(prefix.size()), prefix == "gain_share_"};
    constexpr std::string_view changed("changed_");
    return figure.starts_with(changed) ? InfluenceQuestion{explained.result, nullptr, figure.substr(changed.size())}
                                       : InfluenceQuestion{explained.before, nullptr, figure};
}

QString figureTreeOf(const QString &path) {
    const QString scope = figurepath::scopeOf(path);
    // All figures of a changed plan are in one tree; how much a figure changes is in one of its own.
    if (figurepath::isChange(scope) && path.startsWith(QLatin1String("changed_")))
        return scope;
    const bool ofOneFigure = figurepath::isChange(scope) || scope == figurepath::opened || figurepath::isOfView(scope);
    return ofOneFigure ? path : scope;
}

FigureTrees explainTrees(const FigureSources &sources, const Library &library) {
    FigureTrees trees;
    for (const QString &path : sources.wanted) {
        const QString key = figureTreeOf(path);
        if (!trees.contains(key))
            trees[key] = explained(sources, library, path);
    }
    return trees;
}

} // namespace meshwright
