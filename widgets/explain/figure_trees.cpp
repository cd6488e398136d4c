// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/figure_trees.h"

#include "controls/figure_path.h"
#include "evaluate/evaluate.h"
#include "evaluate/explain.h"
#include "gantt/schedule_runner.h"
#include "plan/outer_symmetry.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

using Tree = std::shared_ptr<const Derivation>;

Tree shared(Derivation tree) {
    return std::make_shared<const Derivation>(std::move(tree));
}

/// What differs in time only between sites is not simulated at length for a figure of one site.
Depth depthFor(const Plan &plan) {
    return is_slow_to_follow(plan) ? Depth::comparison : Depth::numbers;
}

Tree explainedSchedule(const FigureSources &sources, const QString &name) {
    const std::vector<std::string> &names = schedule_names();
    const auto found = std::find(names.begin(), names.end(), name.toStdString());
    if (found == names.end())
        return nullptr;
    const ScheduleVariant variant =
        variantOf(sources.result->plan, static_cast<Schedule>(std::distance(names.begin(), found)));
    const auto run = std::find_if(sources.runs.begin(), sources.runs.end(),
                                  [&](const auto &each) { return each->plan == variant.plan; });
    const std::shared_ptr<const PlanPipeline> pipeline =
        run != sources.runs.end() ? (*run)->pipeline : runSchedule(variant).pipeline;
    if (!pipeline)
        return nullptr;
    return shared(variant.plan == sources.result->plan
                      ? explain(*sources.result, *pipeline)
                      : explain(evaluate(variant.plan, depthFor(variant.plan)), *pipeline));
}

Tree explainedChange(const FigureSources &sources, const Library &library, const QString &figure,
                     const QString &patch) {
    const auto change = nlohmann::ordered_json::parse(patch.toStdString(), nullptr, false);
    if (!sources.document || !change.is_object())
        return nullptr;
    nlohmann::ordered_json document = *sources.document;
    document.merge_patch(change);
    const PlanReading reading = read_plan(document, library);
    if (!reading.valid())
        return nullptr;
    return shared(
        explain_change(*sources.result, evaluate(reading.plan, depthFor(reading.plan)), figure.toStdString()));
}

Tree explained(const FigureSources &sources, const Library &library, const QString &path) {
    const QString scope = figurepath::scopeOf(path);
    const QString figure = figurepath::figureOf(path);
    if (scope.isEmpty())
        return shared(explain(*sources.result));
    if (figurepath::isChange(scope))
        return explainedChange(sources, library, figure, scope);
    if (scope == figurepath::sites)
        return sources.sites && sources.sites->question.plan == sources.result->plan && sources.result->outer
            ? shared(explain(*sources.result, sources.sites->runs))
            : nullptr;
    if (scope == figurepath::opened)
        return sources.opened ? shared(explain_change(*sources.opened, *sources.result, figure.toStdString()))
                              : nullptr;
    return explainedSchedule(sources, scope);
}

} // namespace

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
