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
    // Whatever takes the plan's place, by whichever way, is what one wants to see.
    connect(m_session.document(), &PlanDocument::replaced, this, [this] {
        if (m_views->current() == m_start)
            m_views->show(m_page);
    });
    connect(m_start, &StartView::planWanted, this, [this](const nlohmann::ordered_json &document, StartGoal goal) {
        if (m_files->openDocument(document))
            showFor(goal);
    });
    connect(m_start, &StartView::presetWanted, this, [this](const QString &id, StartGoal goal) {
        if (m_files->openPreset(id) && goal == StartGoal::Learn)
            showFor(goal);
    });
    connect(m_start, &StartView::fileWanted, this, [this](const QString &path) {
        if (!m_files->openFile(path))
            m_start->setRecentFiles(m_files->recentFiles()->files()); // one that is gone is listed no more
    });
    connect(m_start, &StartView::formulasWanted, this, [this] { m_views->show(m_calculators); });
}

void MainWindow::showFor(StartGoal goal) {
    switch (goal) {
    case StartGoal::Fit:
        m_views->show(m_page);
        break;
    case StartGoal::Fastest:
        m_views->show(m_search);
        break;
    case StartGoal::Sites:
        m_views->show(m_sites);
        break;
    case StartGoal::Learn:
        showFigure(QStringLiteral("step.seconds"));
        m_views->show(m_explain);
        break;
    }
}

void MainWindow::showStart() {
    m_start->setRecentFiles(m_files->recentFiles()->files());
    m_start->takeFocus();
}

void MainWindow::openAtStart(const QString &plan) {
    const bool opened = plan.isEmpty()  ? false
        : plan.startsWith(presetPrefix) ? m_files->openPreset(plan.mid(presetPrefix.size()))
                                        : m_files->openFile(plan);
    if (opened) {
        m_page->setFocus(); // not on the first field: no key should change a plan that was only looked at
        return;
    }
    // What went wrong with the file stays announced over the start page.
    const QString said = m_page->notice()->isHidden() ? QString() : m_page->notice()->text();
    m_files->newPlan();
    m_views->show(m_start);
    if (!said.isEmpty())
        notice(Tone::Bad, said);
}

} // namespace meshwright
