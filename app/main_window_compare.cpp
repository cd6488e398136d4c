// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the compare view.
#include "compare/compare_view.h"
#include "compare/invitation.h"
#include "compare_controller.h"
#include "explain/figure_guide.h"
#include "main_window.h"
#include "search/search_view.h"

#include <QAction>
#include <QMenu>

namespace meshwright {

void MainWindow::connectCompare() {
    auto *compare = view<CompareView>();
    m_compared = new CompareController(compare,
                                       {.session = &m_session,
                                        .files = m_files,
                                        .searched = view<SearchView>()->selection(),
                                        .settings = &m_settings,
                                        .prompts = &m_prompts});
    connect(m_compared, &CompareController::noticed, this, &MainWindow::notice);
    compare->setFormulaLines([this](const FigureRef &path) { return m_guide->linesFor(path); });
}

QMenu *MainWindow::newCompareMenu(QWidget *parent) {
    auto *menu = new QMenu(tr("&Compare"), parent);
    for (const TradeOff which : allTradeOffs) {
        QAction *action = menu->addAction(titleOf(which));
        action->setToolTip(descriptionOf(which));
        connect(action, &QAction::triggered, this, [this, which] { goTo<CompareView>()->openTradeOff(which); });
    }
    return menu;
}

} // namespace meshwright
