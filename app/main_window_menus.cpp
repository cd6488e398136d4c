// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the menus, except for the views.
#include "catalog/library.h"
#include "explain/explain_view.h"
#include "export_menu.h"
#include "file_controller.h"
#include "gantt/pipeline_view.h"
#include "glossary_controller.h"
#include "header_bar.h"
#include "help_dialogs.h"
#include "main_window.h"
#include "plan/plan_page.h"
#include "plan_annotations.h"
#include "preset_menu.h"
#include "published/plan_card_dialog.h"
#include "published/published_dialog.h"
#include "recent_files.h"
#include "start/start_view.h"
#include "theme_choice.h"
#include "view_rail.h"
#include "window_layout.h"

#include <QMenuBar>

namespace meshwright {

QAction *MainWindow::addTo(QMenu *menu, const QString &text, const QKeySequence &keys, std::function<void()> run) {
    QAction *action = menu->addAction(text);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    return action;
}

void MainWindow::addFileMenu() {
    QMenu *menu = m_menus->addMenu(tr("&File"));
    addTo(menu, tr("S&tart Page"), {}, [this] { goTo<StartView>(); });
    addTo(menu, tr("&New Plan"), QKeySequence::New, [this] { m_files->newPlan(); });
    addTo(menu, tr("&Open …"), QKeySequence::Open, [this] { m_files->chooseFile(); });
    m_files->recentFiles()->attach(menu->addMenu(tr("Open &Recent")));
    menu->addSeparator();
    addTo(menu, tr("&Save"), QKeySequence::Save, [this] { m_files->save(); });
    addTo(menu, tr("Save &As …"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [this] { m_files->saveAs(); });
    menu->addSeparator();
    menu->addMenu(m_export);
    menu->addSeparator();
    addTo(menu, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });
}

void MainWindow::addEditMenu() {
    QMenu *menu = m_menus->addMenu(tr("&Edit"));
    menu->addAction(m_undo);
    menu->addAction(m_redo);
    menu->addSeparator();
    addTo(menu, tr("&Paste"), QKeySequence::Paste, [this] { paste(); });
    menu->addSeparator();
    menu->addAction(m_find);
    addTo(menu, tr("Find in This &View"), QKeySequence::Find, [this] { findInView(); });
}

void MainWindow::addPlanMenu() {
    QMenu *menu = m_menus->addMenu(tr("&Plan"));
    m_presets = new PresetMenu(m_session.library(), this);
    connect(m_presets, &PresetMenu::chosen, m_files, &FileController::openPreset);
    connect(m_presets, &PresetMenu::cardChosen, this, [this](const QString &id) {
        newPlanCardDialog(m_session.library().json(PresetKind::plan, id.toStdString()), this)->open();
    });
    menu->addMenu(m_presets);
    QAction *published = menu->addAction(tr("Pu&blished runs …"));
    published->setObjectName(QStringLiteral("publishedRunsAction"));
    published->setToolTip(tr("Compares the published figures of every preset with the prediction"));
    connect(published, &QAction::triggered, this, [this] {
        auto *dialog = new PublishedDialog(m_session.library(), this);
        connect(dialog, &PublishedDialog::chosen, m_files, &FileController::openPreset);
        dialog->open();
    });
    menu->addMenu(newCompareMenu(menu));
    menu->addSeparator();
    addTo(menu, tr("&Rename Plan …"), {}, [this] { m_header->editName(); });
    addTo(menu, tr("&Notes …"), {}, [this] { m_annotations->editNotes(); });
    addTo(menu, tr("Save S&napshot …"), {}, [this] { m_annotations->saveSnapshot(); });
    menu->addSeparator();
    addTo(menu, tr("Set a &Goal …"), QKeySequence(Qt::CTRL | Qt::Key_G), [this] { setGoal(); });
    m_smallestFit =
        addTo(menu, tr("Smallest Changes That &Fit …"), QKeySequence(Qt::CTRL | Qt::Key_M), [this] { seekFit(); });
    m_smallestFit->setEnabled(false);
}

void MainWindow::addViewMenu() {
    QMenu *menu = m_menus->addMenu(tr("&View"));
    menu->addActions(m_rail->actions());
    menu->addSeparator();
    menu->addAction(view<ExplainView>()->backAction());
    menu->addAction(view<ExplainView>()->forwardAction());
    menu->addMenu(tr("&Timeline"))->addActions(view<PipelineView>()->tools());
    menu->addSeparator();
    menu->addAction(m_layout->panelsAction());
    menu->addAction(m_layout->detailsAction());
    menu->addSeparator();
    m_theme->fill(menu->addMenu(tr("&Theme")));
    menu->addSeparator();
    addTo(menu, tr("&Reset Layout"), {}, [this] { m_layout->reset(); });
}

void MainWindow::addHelpMenu() {
    QMenu *menu = m_menus->addMenu(tr("&Help"));
    QAction *guide = addTo(menu, tr("User &Guide"), QKeySequence(Qt::Key_F1), [this] { showGuide(); });
    // This shortcut is only shown in the menu: keyPressEvent() receives F1 if no figure handles it.
    guide->setShortcutContext(Qt::WidgetShortcut);
    menu->addAction(m_glossary->action());
    addTo(menu, tr("&Keyboard Shortcuts"), QKeySequence(Qt::CTRL | Qt::Key_Slash),
          [this] { help::showShortcuts(this); });
    menu->addSeparator();
    addTo(menu, tr("&About Meshwright"), {}, [this] { help::showAbout(this); });
}

} // namespace meshwright
