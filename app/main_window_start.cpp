// SPDX-License-Identifier: GPL-3.0-or-later
// The start page of MainWindow: what opens from it, and when it gives way.
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
    // Whatever takes the plan's place, by whichever way, is what one wants to see.
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
            start->setRecentFiles(m_files->recentFiles()->files()); // one that is gone is listed no more
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
        view<PlanPage>()->setFocus(); // not on the first field: no key should change a plan that was only looked at
        return;
    }
    // What went wrong with the file stays announced over the start page.
    const QString said = m_notice->isHidden() ? QString() : m_notice->text();
    m_files->newPlan();
    goTo<StartView>();
    if (!said.isEmpty())
        notice(Tone::Bad, said);
}

} // namespace meshwright
