// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/figure_book.h"

#include "controls/figure_path.h"
#include "evaluate/evaluate.h"
#include "evaluate/explain.h"
#include "plan/outer_symmetry.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

/// What differs in time only between sites is not simulated at length for a figure of one site.
Depth depthFor(const Plan &plan) {
    return is_slow_to_follow(plan) ? Depth::comparison : Depth::numbers;
}

} // namespace

void FigureBook::showPlan(const PlanView &view) {
    if (view.valid)
        m_document = view.document;
    if (view.result == m_result)
        return;
    m_result = view.result;
    m_trees.clear();
}

void FigureBook::keepRuns(const std::vector<DrawnSchedule> &schedules) {
    m_runs.clear();
    for (const DrawnSchedule &schedule : schedules)
        m_runs.push_back(schedule.run);
}

FigureBook::Found FigureBook::find(const QString &path) {
    if (path.isEmpty())
        return {};
    const std::shared_ptr<const Derivation> tree = treeOf(path);
    if (!tree)
        return {};
    const QString figure = figurepath::figureOf(path);
    const std::string name = identifier(figure.toStdString());
    const Derivation *gain =
        figurepath::isChange(figurepath::scopeOf(path)) ? find_figure(*tree, "gain_" + name) : nullptr;
    return {tree, gain != nullptr ? gain : find_figure(*tree, name)};
}

std::shared_ptr<const Derivation> FigureBook::treeOf(const QString &path) {
    if (!m_result)
        return nullptr;
    const QString scope = figurepath::scopeOf(path);
    const QString key = figurepath::isChange(scope) ? path : scope;
    const auto known = m_trees.find(key);
    if (known != m_trees.end())
        return known->second;
    return m_trees[key] = explained(path);
}

std::shared_ptr<const Derivation> FigureBook::explained(const QString &path) const {
    const QString scope = figurepath::scopeOf(path);
    if (scope.isEmpty())
        return std::make_shared<const Derivation>(explain(*m_result));
    return figurepath::isChange(scope) ? explainedChange(figurepath::figureOf(path), scope) : explainedSchedule(scope);
}

std::shared_ptr<const Derivation> FigureBook::explainedSchedule(const QString &name) const {
    const std::vector<std::string> &names = schedule_names();
    const auto found = std::find(names.begin(), names.end(), name.toStdString());
    if (found == names.end())
        return nullptr;
    const ScheduleVariant variant = variantOf(m_result->plan, static_cast<Schedule>(found - names.begin()));
    const auto run =
        std::find_if(m_runs.begin(), m_runs.end(), [&](const auto &each) { return each->plan == variant.plan; });
    const std::shared_ptr<const PlanPipeline> pipeline =
        run != m_runs.end() ? (*run)->pipeline : runSchedule(variant).pipeline;
    if (!pipeline)
        return nullptr;
    return std::make_shared<const Derivation>(variant.plan == m_result->plan
                                                  ? explain(*m_result, *pipeline)
                                                  : explain(evaluate(variant.plan, depthFor(variant.plan)), *pipeline));
}

std::shared_ptr<const Derivation> FigureBook::explainedChange(const QString &figure, const QString &patch) const {
    const auto change = nlohmann::ordered_json::parse(patch.toStdString(), nullptr, false);
    if (!m_document || !change.is_object())
        return nullptr;
    nlohmann::ordered_json document = *m_document;
    document.merge_patch(change);
    const PlanReading reading = read_plan(document, m_library);
    if (!reading.valid())
        return nullptr;
    return std::make_shared<const Derivation>(
        explain_change(*m_result, evaluate(reading.plan, depthFor(reading.plan)), figure.toStdString()));
}

} // namespace meshwright
