// SPDX-License-Identifier: GPL-3.0-or-later
#include "calculators/calculator_card.h"
#include "calculators/calculators_view.h"
#include "file_controller.h"
#include "main_window.h"
#include "panels/panel_column.h"
#include "panels/run_curves_view.h"
#include "settings.h"
#include "view_rail.h"
#include "views/problems_card.h"

#include <QAction>

namespace meshwright {

void MainWindow::connectCalculators() {
    auto *calculators = view<CalculatorsView>();
    calculators->setPlanTree([this] { return m_book.planTree(); });
    calculators->restore(m_settings.value(Setting::Calculators).toStringList());
    connect(calculators, &CalculatorsView::stateChanged, this,
            [this, calculators] { m_settings.set(Setting::Calculators, calculators->state()); });
    connect(m_panels->runCurves(), &RunCurvesView::calculatorWanted, this,
            [this](const QString &id, const ArgumentTexts &texts) { openCalculator(id, texts); });
}

void MainWindow::openCalculator(const QString &id, const ArgumentTexts &texts) {
    auto *calculators = goTo<CalculatorsView>();
    const bool isOpen = calculators->isOpen(id);
    CalculatorCard *card = calculators->openFormula(id);
    if (!texts.empty())
        card->setTexts(texts);
    else if (!isOpen && !card->takePlanValues() && m_book.isPending({})) // keep the values of an open calculator
        connect(
            &m_book, &FigureBook::explained, card, [card] { card->takePlanValues(); }, Qt::SingleShotConnection);
}

} // namespace meshwright
