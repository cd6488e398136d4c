// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: errors, warnings and hints in every view, their fixes, and goals.
#include "canvases/memory_bars.h"
#include "evaluate/evaluate.h"
#include "evidence/evidence_view.h"
#include "explain/explain_view.h"
#include "gantt/pipeline_view.h"
#include "main_window.h"
#include "memory/memory_view.h"
#include "panels/panel_column.h"
#include "plan/goal_card.h"
#include "plan/memory_card.h"
#include "plan/plan_json.h"
#include "plan/plan_page.h"
#include "search/configuration_text.h"
#include "search/search_view.h"
#include "silent_changes.h"
#include "sites/sites_view.h"
#include "view_rail.h"
#include "views/problems_card.h"
#include "views/view_mapping.h"

#include <nlohmann/json.hpp>

namespace meshwright {

void MainWindow::connectProblems(ProblemsCard *problems) {
    problems->setWords([this](const QString &pointer) { return m_panels->nameOf(pointer); },
                       [this](const Fix &fix) { return changesOf(fix); });
    connect(problems, &ProblemsCard::fixChosen, this, &MainWindow::applyFix);
}

void MainWindow::setGoal() {
    goTo<PlanPage>()->setGoal();
}

void MainWindow::seekFit() {
    goTo<PlanPage>()->seekFit();
}

void MainWindow::applyFix(const Fix &fix) {
    QString title = QString::fromStdString(fix.title);
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    m_session.document()->apply(
        {.field = {}, .subject = title, .from = {}, .to = {}, .patch = fix.patch, .pace = EditPace::Settled});
}

Plan MainWindow::planAfter(const Fix &fix) const {
    const PlanView &view = m_session.view();
    const nlohmann::ordered_json patch = nlohmann::ordered_json::parse(fix.patch, nullptr, false);
    if (patch.is_discarded() || !view.document->is_object())
        return view.plan;
    nlohmann::ordered_json after = *view.document;
    merge_patch(after, patch);
    keepUntouchedFields(*view.document, after, patch, m_session.library());
    return read_plan(after, m_session.library()).plan;
}

void MainWindow::previewFix(const std::optional<Fix> &fix) {
    const PlanView &plan = m_session.view();
    QVector<MemoryBar> ghost;
    if (fix && plan.valid && plan.result != nullptr)
        if (const Plan after = planAfter(*fix); check_plan(after).empty())
            ghost = memoryBarsView(evaluate(after, Depth::numbers).memory).bars;
    view<PlanPage>()->memory()->bars()->setGhost(ghost);
}

QString MainWindow::changesOf(const Fix &fix) const {
    const PlanView &view = m_session.view();
    const Plan plan = planAfter(fix);
    QVector<ConfigurationDifference> differences = layoutDifferences(view.plan, plan);
    const std::int64_t ranks = view.plan.parallelism.data;
    const std::int64_t left = plan.parallelism.data;
    if (ranks != left)
        differences.append({layoutFieldText(ConfigurationField::data), QString::number(ranks), QString::number(left)});
    return differencesText(differences);
}

} // namespace meshwright
