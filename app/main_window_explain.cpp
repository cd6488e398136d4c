// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_view.h"
#include "explain/explain_view.h"
#include "file_controller.h"
#include "main_window.h"
#include "panels/panel_column.h"
#include "plan/plan_json.h"
#include "plan/plan_page.h"
#include "sites/sites_view.h"
#include "view_rail.h"
#include "window_layout.h"

#include <QAction>
#include <QTimer>

#include <nlohmann/json.hpp>

#include <utility>

namespace meshwright {

namespace {

/// Patch from the shown plan's document to another plan. Top-level keys that differ are replaced as a whole because
/// they may be preset ids.
std::string patchTo(const PlanView &shown, const Plan &plan) {
    const nlohmann::ordered_json own = to_json(shown.result->plan);
    const nlohmann::ordered_json other = to_json(plan);
    nlohmann::ordered_json document = *shown.document;
    for (const auto &item : other.items())
        if (!own.contains(item.key()) || own.at(item.key()) != item.value())
            document[item.key()] = item.value();
    for (const auto &item : own.items())
        if (!other.contains(item.key()))
            document.erase(item.key());
    return mergeDifference(*shown.document, document).dump();
}

} // namespace

void MainWindow::showFigure(const FigureRef &figure) {
    if (view<ExplainView>()->openFigure(figure))
        goTo<ExplainView>();
}

void MainWindow::showField(const QString &pointer) {
    if (EvidenceView::hasConstant(pointer)) {
        goTo<EvidenceView>()->showConstant(pointer);
        return;
    }
    // Outer loop fields are edited in the sites view if it is shown.
    if (m_rail->current()->face().scope != View::Scope::BetweenSites || !m_panels->hasFieldInSight(pointer))
        goTo<PlanPage>();
    showPanels();
    m_panels->focusField(pointer);
}

void MainWindow::showCurve(const QString &id) {
    goTo<PlanPage>();
    showPanels();
    m_panels->showCurve(id);
}

void MainWindow::showPanels() {
    if (!m_layout->panelsAction()->isChecked())
        m_layout->panelsAction()->trigger();
}

void MainWindow::connectExplain() {
    auto *explain = view<ExplainView>();
    explain->setFieldQuestion(
        [this](const QString &pointer) { return m_panels->hasField(pointer) || EvidenceView::hasConstant(pointer); });
    connect(explain, &ExplainView::otherPlanWanted, this, [this](const Plan &plan, const QString &pointer) {
        if (m_files->openDocument(to_json(plan)))
            m_awaitedField = pointer;
    });
    connect(explain, &ExplainView::changeWanted, this, [this](const Plan &plan, const QString &pointer) {
        const PlanView &view = m_session.view();
        if (!view.valid || view.result == nullptr)
            return;
        m_awaitedField = pointer;
        m_session.document()->apply({.field = {},
                                     .subject = tr("Explained change"),
                                     .from = {},
                                     .to = {},
                                     .patch = patchTo(view, plan),
                                     .pace = EditPace::Settled});
    });
}

void MainWindow::goToAwaitedField() {
    const Freshness freshness = m_session.view().freshness;
    if (m_awaitedField.isEmpty() || freshness == Freshness::Computing || freshness == Freshness::Late)
        return;
    // Runs after the sections of a newly opened plan have been collapsed.
    QTimer::singleShot(0, this, [this, pointer = std::exchange(m_awaitedField, {})] { showField(pointer); });
}

} // namespace meshwright
