// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/explain_model.h"
#include "explain/explain_tree.h"
#include "explain/explain_view.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

namespace meshwright {

std::shared_ptr<const Result> ExplainView::resultOfCurrent() const {
    return resultOfNode({m_shownFigure, m_model->pathOf(m_tree->currentIndex())}, {m_shown.before, m_shown.result},
                        m_shown.variedPlans);
}

ExplainView::FieldOwner ExplainView::ownerOf(const QString &pointer) const {
    const std::shared_ptr<const Result> result = resultOfCurrent();
    if (result == nullptr || result == m_explained || !m_explained)
        return FieldOwner::Present;
    if (innermost(m_shownFigure).of<scope::ViewPlan>())
        return FieldOwner::Other;
    const auto valueIn = [&](const Plan &plan) {
        const nlohmann::ordered_json document = to_json(plan);
        const nlohmann::ordered_json::json_pointer place(pointer.toStdString());
        return document.contains(place) ? document.at(place) : nlohmann::ordered_json();
    };
    return valueIn(result->plan) == valueIn(m_explained->plan) ? FieldOwner::Present : FieldOwner::Changed;
}

QString ExplainView::fieldTitleOf(const QString &pointer) const {
    if (pointer.isEmpty())
        return {};
    switch (ownerOf(pointer)) {
    case FieldOwner::Other:
        return tr("Open this plan and go to the field");
    case FieldOwner::Changed:
        return tr("Apply this change and go to the field");
    case FieldOwner::Present:
        break;
    }
    return {};
}

void ExplainView::goToField(const QString &pointer) {
    switch (ownerOf(pointer)) {
    case FieldOwner::Other:
        Q_EMIT otherPlanWanted(resultOfCurrent()->plan, pointer);
        return;
    case FieldOwner::Changed:
        Q_EMIT changeWanted(resultOfCurrent()->plan, pointer);
        return;
    case FieldOwner::Present:
        wantFigure(this, PlanField(pointer));
    }
}

} // namespace meshwright
