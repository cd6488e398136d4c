// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_makers.h"

#include "evidence/evidence_view.h"
#include "explain/figure_book.h"
#include "figures/figure_path.h"
#include "memory/memory_view.h"
#include "panels/batch_panel.h"
#include "panels/parallelism_panel.h"
#include "search/map_making.h"
#include "search/search_view.h"
#include "sites/least_changes_card.h"
#include "sites/sites_view.h"
#include "start/start_view.h"

namespace meshwright {

void addMakers(FigureBook &book, const FigureMakers &makers) {
    book.addMaker(views::search, [view = makers.search](const QString &figure) { return view->makingOf(figure); });
    book.addMaker(views::evidence, [view = makers.evidence](const QString &figure) { return view->makingOf(figure); });
    book.addMaker(views::memory, [view = makers.memory](const QString &figure) { return view->makingOf(figure); });
    book.addMaker(views::sliders, [panel = makers.sliders, batch = makers.batch](const QString &figure) {
        const std::optional<Derivation> made = panel->makingOf(figure);
        return made ? made : batch->makingOf(figure);
    });
    book.addMaker(views::sites,
                  [view = makers.sites](const QString &figure) { return view->leastChanges()->makingOf(figure); });
    book.addPlans(views::evidence, [view = makers.evidence](const QString &plan) { return view->planOf(plan); });
    book.addPlans(views::search, mapPlan);
    book.addPlans(views::start, [view = makers.start](const QString &plan) { return view->planOf(plan); });
}

} // namespace meshwright
