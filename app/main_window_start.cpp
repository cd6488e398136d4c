// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: showing and leaving the start page, and opening plans from it.
#include "calculators/calculators_view.h"
#include "controls/notice_strip.h"
#include "explain/explain_view.h"
#include "file_controller.h"
#include "main_window.h"
#include "plan/plan_page.h"
#include "plan_document.h"
#include "recent_files.h"
#include "search/search_view.h"
#include "sites/sites_view.h"
#include "start/start_view.h"
#include "view_rail.h"

#include <nlohmann/json.hpp>

namespace meshwright {

namespace {
constexpr QLatin1String presetPrefix("preset:");
}

void MainWindow::connectStart() {
    auto *start = view<StartView>();
    // If another plan is opened while the start page is shown, show that plan instead.
    connect(m_session.document(), &PlanDocument::replaced, this, [this, start] {
        if (m_rail->current() == start)
            goTo<PlanPage>();
    });
    connect(start, &StartView::planWanted, this, [this](const nlohmann::ordered_json &document, StartGoal goal) {
        if (m_files->openDocument(document))
            showFor(goal);
    });
    connect(start, &StartView::presetWanted, this, [this](const QString &id, StartGoal goal) {
        if (m_files->openPreset(id) && goal == StartGoal::Learn)
            showFor(goal);
    });
    connect(start, &StartView::fileWanted, this, [this, start](const QString &path) {
        if (!m_files->openFile(path))
            start->setRecentFiles(m_files->recentFiles()->files()); // missing files are no longer listed
    });
}

void MainWindow::showFor(StartGoal goal) {
    switch (goal) {
    case StartGoal::Fit:
        goTo<PlanPage>();
        break;
    case StartGoal::Fastest:
        goTo<SearchView>();
        break;
    case StartGoal::Sites:
        goTo<SitesView>();
        break;
    case StartGoal::Learn:
        showFigure(QStringLiteral("step.seconds"));
        goTo<ExplainView>();
        break;
    }
}

void MainWindow::openAtStart(const QString &plan) {
    const bool opened = plan.isEmpty()  ? false
        : plan.startsWith(presetPrefix) ? m_files->openPreset(plan.mid(presetPrefix.size()))
                                        : m_files->openFile(plan);
    if (opened) {
        // Focus no field, so that key presses do not change a plan that the user is only viewing.
        view<PlanPage>()->setFocus();
        return;
    }
    // Keep an error about the file visible on the start page.
    const QString said = m_notice->isHidden() ? QString() : m_notice->text();
    m_files->newPlan();
    goTo<StartView>();
    if (!said.isEmpty())
        notice(Tone::Bad, said);
}

} // namespace meshwright
