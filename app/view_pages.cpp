// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_pages.h"

#include "calculators/calculators_view.h"
#include "compare/compare_view.h"
#include "controls/segmented.h"
#include "evidence/evidence_view.h"
#include "explain/explain_view.h"
#include "explain/simulation_effects.h"
#include "gantt/pipeline_view.h"
#include "lessons/lessons_view.h"
#include "main_window.h"
#include "memory/memory_view.h"
#include "plots/plot.h"
#include "plots/plots_view.h"
#include "search/advice_page.h"
#include "search/map_page.h"
#include "search/search_view.h"
#include "search_controller.h"
#include "sites/sites_view.h"
#include "start/start_view.h"
#include "view_rail.h"

#include <algorithm>

namespace meshwright {

namespace {

template <typename Kind>
bool isViewSettled(MainWindow &window) {
    return window.view<Kind>()->isSettled();
}

bool isSearchSettled(MainWindow &window) {
    return window.searching()->isSettled();
}

bool isMapSettled(MainWindow &window) {
    return !window.view<SearchView>()->map()->isBusy();
}

bool isAdviceSettled(MainWindow &window) {
    return !window.view<SearchView>()->advice()->isBusy();
}

bool isExplainSettled(MainWindow &window) {
    const auto *explain = window.view<ExplainView>();
    return explain->currentNode() != nullptr && !window.book().isBusy() && explain->effects()->isSettled();
}

bool areFormulasSettled(MainWindow &) {
    return true; // results are calculated while the user types, so there is nothing to wait for
}

bool isEvidenceSettled(MainWindow &window) {
    return !window.view<EvidenceView>()->isBusy();
}

ViewTable shownTable(MainWindow &window) {
    const QTableView *table = tableIn(*window.rail()->current());
    return table != nullptr ? tableAsShown(*table) : ViewTable();
}

std::vector<ViewPage> withPlots(std::vector<ViewPage> pages) {
    int page = 0;
    for (const std::string &plot : plot_names())
        pages.push_back({.name = plot.c_str(),
                         .view = "plotsView",
                         .pages = "plotPages",
                         .page = page++,
                         .isSettled = isViewSettled<PlotsView>,
                         .table = plotTable});
    return pages;
}

Segmented *pagesOf(const MainWindow &window, const ViewPage &page) {
    return page.pages == nullptr ? nullptr : window.findChild<Segmented *>(QLatin1String(page.pages));
}

} // namespace

const std::vector<ViewPage> &viewPages() {
    constexpr auto searchPages = "searchPages";
    constexpr auto evidencePages = "evidencePages";
    static const std::vector<ViewPage> pages = withPlots({
        {.name = "start", .view = "startView", .isSettled = isViewSettled<StartView>, .table = startTable},
        {.name = "plan", .view = "planView", .isSettled = isSearchSettled, .table = planTable},
        {.name = "pipeline", .view = "pipelineView", .isSettled = isViewSettled<PipelineView>, .table = pipelineTable},
        {.name = "memory", .view = "memoryView", .isSettled = isViewSettled<MemoryView>, .table = memoryTable},
        {.name = "sites", .view = "sitesView", .isSettled = isViewSettled<SitesView>, .table = sitesTable},
        {.name = "search",
         .view = "searchView",
         .pages = searchPages,
         .page = 0,
         .isSettled = isSearchSettled,
         .table = shownTable},
        {.name = "map",
         .view = "searchView",
         .pages = searchPages,
         .page = 1,
         .isSettled = isMapSettled,
         .table = mapTable},
        {.name = "advice",
         .view = "searchView",
         .pages = searchPages,
         .page = 2,
         .isSettled = isAdviceSettled,
         .table = adviceTable},
        {.name = "compare", .view = "compareView", .isSettled = isViewSettled<CompareView>, .table = shownTable},
        {.name = "explain", .view = "explainView", .isSettled = isExplainSettled, .table = explainTable},
        {.name = "formulas", .view = "calculatorsView", .isSettled = areFormulasSettled, .table = formulasTable},
        {.name = "evidence",
         .view = "evidenceView",
         .pages = evidencePages,
         .page = 0,
         .isSettled = isEvidenceSettled,
         .table = shownTable},
        {.name = "assumptions",
         .view = "evidenceView",
         .pages = evidencePages,
         .page = 1,
         .isSettled = isEvidenceSettled,
         .table = shownTable},
        {.name = "machine",
         .view = "evidenceView",
         .pages = evidencePages,
         .page = 2,
         .isSettled = isEvidenceSettled,
         .table = shownTable},
        {.name = "lessons", .view = "lessonsView", .isSettled = isViewSettled<LessonsView>, .table = lessonsTable},
    });
    return pages;
}

const ViewPage &currentPage(const MainWindow &window) {
    const QString name = window.rail()->current()->face().name;
    const std::vector<ViewPage> &pages = viewPages();
    return *std::find_if(pages.begin(), pages.end(), [&](const ViewPage &page) {
        const Segmented *choice = pagesOf(window, page);
        return name == QLatin1String(page.view) && (choice == nullptr || choice->currentIndex() == page.page);
    });
}

void showPage(MainWindow &window, const ViewPage &page) {
    for (View *view : window.views())
        if (view->face().name == QLatin1String(page.view))
            window.showView(view);
    if (Segmented *choice = pagesOf(window, page))
        choice->setCurrentIndex(page.page);
}

} // namespace meshwright
