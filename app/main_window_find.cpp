// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the palette, and the current view's own filter.
#include "calculators/calculators_view.h"
#include "evidence/evidence_view.h"
#include "file_controller.h"
#include "gantt/pipeline_view.h"
#include "glossary_controller.h"
#include "main_window.h"
#include "palette/command_palette.h"
#include "palette_items.h"
#include "panels/panel_column.h"
#include "preset_menu.h"
#include "search/configuration_selection.h"
#include "search/configuration_table.h"
#include "search/search_view.h"
#include "view_rail.h"
#include "views/problems_card.h"

#include <QAction>
#include <QLineEdit>

namespace meshwright {

QVector<PaletteItem> MainWindow::wayItems() {
    const auto item = [](const QString &title, const QString &detail, const QStringList &names, const QString &icon,
                         std::function<void()> run) {
        return PaletteItem{.group = tr("Actions"),
                           .title = title,
                           .detail = detail,
                           .names = names,
                           .kind = PaletteKind::command,
                           .icon = icon,
                           .run = std::move(run)};
    };
    return {item(tr("Compare configurations"), tr("Search"), {tr("compare"), tr("alternatives"), tr("best")},
                 QStringLiteral("search"), [this] { goTo<SearchView>(); }),
            item(tr("Compare pipeline schedules"), tr("Pipeline"), {tr("compare"), tr("schedules")},
                 QStringLiteral("pipeline"), [this] { goTo<PipelineView>(); }),
            item(tr("Pin this configuration in Search"), tr("Search"), {tr("pin"), tr("bookmark"), tr("favorite")},
                 QStringLiteral("pin"), [this] { goTo<SearchView>()->pinPresent(); })};
}

void MainWindow::find() {
    const PaletteWays ways{
        .showFigure = [this](const QString &path) { showFigure(path); },
        .usePreset = [this](PresetKind kind, const QString &id) { m_panels->usePreset(kind, id); },
        .openFormula = [this](const QString &id, const ArgumentTexts &texts) { openCalculator(id, texts); },
        .planValues = [this](const Formula &formula) { return view<CalculatorsView>()->placesOf(formula); },
        .openPreset = [this](const QString &id) { m_files->openPreset(id); },
        .showField = [this](const QString &pointer) { showField(pointer); },
        .showCurve = [this](const QString &id) { showCurve(id); },
        .showTerm = [this](const QString &id) { m_glossary->showTerm(id); }};
    const std::shared_ptr<const Result> &result = m_session.view().result;
    m_palette->open(
        fieldItems(m_panels->fields(), ways) + (result ? figureItems(*result, ways) : QVector<PaletteItem>())
        + actionItems(*m_menus, m_rail->actions() << m_find) + wayItems()
        + presetItems(m_session.library(), m_session.view().plan, ways) + viewItems(m_rail->actions())
        + formulaItems(ways) + (result ? curveItems(*result, ways) : QVector<PaletteItem>()) + termItems(ways));
}

void MainWindow::findInView() {
    QLineEdit *field = m_rail->current()->filterField();
    if (field != nullptr && field->isVisible()) {
        field->setFocus(Qt::ShortcutFocusReason);
        field->selectAll();
    } else {
        find();
    }
}

} // namespace meshwright
